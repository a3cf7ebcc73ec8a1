import assert from 'node:assert/strict';
import { collect } from '../../../nodes/lib/pages.js';

interface Page {
  words: string[];
  total?: number;
  next_page_token?: string | null;
}

/** Hands out pages, and remembers how many were taken. */
async function* pagesOf(pages: readonly Page[], taken: Page[] = []): AsyncGenerator<Page> {
  for (const page of pages) {
    taken.push(page);
    yield page;
  }
}

const wordsIn = ({ words }: Page) => words;

describe('pages of a list', () => {
  const pages: Page[] = [
    { words: ['a', 'b'], total: 9, next_page_token: '2' },
    { words: ['c'], total: 3, next_page_token: null },
  ];

  it('become one list, with the total that the last of them says', async () => {
    const found = await collect(pagesOf(pages), wordsIn);
    assert.deepEqual(found, {
      items: ['a', 'b', 'c'],
      speech: { total: 3, next_page_token: undefined },
    });
  });

  it('are not asked for beyond the first where one is wanted, and it tells how to go on', async () => {
    const taken: Page[] = [];
    const found = await collect(pagesOf(pages, taken), wordsIn, 'one');
    assert.deepEqual(found, { items: ['a', 'b'], speech: { total: 9, next_page_token: '2' } });
    assert.equal(taken.length, 1);
  });

  it('are counted where the service does not say how many there are', async () => {
    const found = await collect(pagesOf(pages.map(({ words }) => ({ words }))), wordsIn);
    assert.equal(found.speech.total, 3);
  });

  it('may be none at all', async () => {
    const found = await collect(pagesOf([]), wordsIn);
    assert.deepEqual(found, { items: [], speech: { total: 0, next_page_token: undefined } });
  });
});
