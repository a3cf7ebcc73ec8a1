import assert from 'node:assert/strict';
import { collectItems } from '../../../nodes/lib/pages.js';

interface Page {
  words: string[];
  total?: number;
  next_page_token?: string | null;
}

/** Yields the pages and records them in `taken`. */
async function* pagesOf(pages: readonly Page[], taken: Page[] = []): AsyncGenerator<Page> {
  for (const page of pages) {
    taken.push(page);
    yield page;
  }
}

const wordsIn = ({ words }: Page) => words;

describe('collect', () => {
  const pages: Page[] = [
    { words: ['a', 'b'], total: 9, next_page_token: '2' },
    { words: ['c'], total: 3, next_page_token: null },
  ];

  it('joins all pages into one list with the total of the last page', async () => {
    const found = await collectItems(pagesOf(pages), wordsIn);
    assert.deepEqual(found, {
      items: ['a', 'b', 'c'],
      speech: { total: 3, next_page_token: undefined },
    });
  });

  it('requests only the first page if one is wanted, and returns the token of the next page', async () => {
    const taken: Page[] = [];
    const found = await collectItems(pagesOf(pages, taken), wordsIn, 'one');
    assert.deepEqual(found, { items: ['a', 'b'], speech: { total: 9, next_page_token: '2' } });
    assert.equal(taken.length, 1);
  });

  it('counts the items if the service returns no total', async () => {
    const found = await collectItems(pagesOf(pages.map(({ words }) => ({ words }))), wordsIn);
    assert.equal(found.speech.total, 3);
  });

  it('returns an empty list if no page arrives', async () => {
    const found = await collectItems(pagesOf([]), wordsIn);
    assert.deepEqual(found, { items: [], speech: { total: 0, next_page_token: undefined } });
  });
});
