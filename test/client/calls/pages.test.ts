import assert from 'node:assert/strict';
import type { Client } from '../../../client/api/client.js';
import { listCustomVoices, searchVoices } from '../../../client/interface/operations.js';
import { withService } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';

const item = (id: string) => ({ voice_id: id, name: id, description: null });

async function collect(client: Client): Promise<string[]> {
  const ids: string[] = [];
  for await (const { items } of client.pages(listCustomVoices, { page_size: 10 })) {
    ids.push(...items.map(({ voice_id: id }) => id));
  }
  return ids;
}

describe('client.pages', () => {
  for (const last of [null, undefined, '']) {
    it(`yields pages in order until the token is ${JSON.stringify(last) ?? 'absent'}`, () =>
      withService(
        ({ query }) => {
          const token = query.get('next_page_token');
          const [id, next] = { '': ['a', '1'], 1: ['b', '2'], 2: ['c', last] }[token ?? ''] ?? [];
          return { body: { items: [item(id ?? '?')], next_page_token: next } };
        },
        async (client, { requests }) => {
          assert.deepEqual(await collect(client), ['a', 'b', 'c']);
          assert.deepEqual(
            requests.map(({ query }) => query.get('page_size')),
            ['10', '10', '10'],
          );
        },
      ));
  }

  it('rejects with bad-reply if a token repeats', () =>
    withService(
      ({ query }) => ({
        body: { items: [], next_page_token: query.get('next_page_token') === 'x' ? 'y' : 'x' },
      }),
      async (client, { requests }) => {
        const error = await rejection(collect(client));
        assert.deepEqual([error.code, error.operation], ['bad-reply', 'listCustomVoices']);
        assert.ok(requests.length <= 4);
      },
    ));

  it('rejects with timed-out if the list has more pages than fit into `listTimeout`', () =>
    withService(
      (_request, index) => ({ body: { items: [], next_page_token: `${index}` } }),
      async (client) => assert.equal((await rejection(collect(client))).code, 'timed-out'),
      { listTimeout: 200 },
    ));

  it('rejects with bad-reply if all pages have more bytes than `maxReplyBytes`', () =>
    withService(
      (_request, index) => ({ body: { items: [item('x'.repeat(1000))], next_page_token: `${index}` } }),
      async (client, { requests }) => {
        const error = await rejection(collect(client));
        assert.equal(error.code, 'bad-reply');
        assert.match(error.message, /more than 50000 bytes: use filters/);
        assert.ok(requests.length <= 50);
      },
      { maxReplyBytes: 50_000 },
    ));

  it('requests a page only when the caller iterates to it', () =>
    withService(
      () => ({ body: { items: [], next_page_token: 'more' } }),
      async (client, { requests }) => {
        for await (const page of client.pages(searchVoices, {})) {
          assert.deepEqual(page.items, []);
          break;
        }
        assert.equal(requests.length, 1);
      },
    ));
});
