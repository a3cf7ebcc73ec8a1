import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { type Flow, localAccount, speechNode, withFlow, withHostedFlow } from '../support/node-red/flow.js';
import { keepLocalService } from '../support/service/local-service.js';
import { errorOf } from '../support/node-red/messages.js';
import { refused, type Scripted, type ScriptedServer, type Seen } from '../support/net/scripted-server.js';
import { toneFile } from '../support/service/service.js';

const own = (id: number) => ({ voice_id: `own-${id}`, name: `Voice ${id}`, description: null });

/** A service with two pages of two voices, and the four voices under their ids. */
function script({ method, path, query, json }: Seen): Scripted {
  const [, id] = /\/custom-voices\/own-(\d)$/.exec(path) ?? [];
  if (method === 'DELETE') return { status: 204 };
  if (id !== undefined) return { body: { ...own(Number(id)), ...json } };
  const last = query.has('next_page_token');
  const items = last ? [own(3), own(4)] : [own(1), own(2)];
  return { body: { items, total: 4, next_page_token: last ? null : '2' } };
}

const managing = (
  properties: object,
  work: (flow: Flow, server: ScriptedServer) => Promise<void>,
  answer: (request: Seen) => Scripted = script,
) => withHostedFlow(answer, [speechNode('custom-voices', properties)], work);

describe('custom voices', () => {
  it('lists all pages by default, with the largest page size', () =>
    managing({}, async (flow, { requests }) => {
      flow.send('node', { topic: 'kept', voice_id: 'unchanged', name: 7 });
      const { payload, speech, topic, voice_id } = await flow.out('done');
      assert.deepEqual(payload, [own(1), own(2), own(3), own(4)]);
      assert.deepEqual(speech, { total: 4, next_page_token: undefined });
      assert.deepEqual([topic, voice_id], ['kept', 'unchanged']);
      assert.deepEqual(
        requests.map(({ path, query }) => [path, Object.fromEntries(query)]),
        [
          ['/v1/custom-voices', { page_size: '100' }],
          ['/v1/custom-voices', { page_size: '100', next_page_token: '2' }],
        ],
      );
    }));

  it('lists one page and reports the token of the next page', () =>
    managing({ pages: 'one', page_size: '10' }, async (flow, { requests }) => {
      flow.send('node', {});
      const { payload, speech } = await flow.out('done');
      assert.deepEqual(payload, [own(1), own(2)]);
      assert.deepEqual(speech, { total: 4, next_page_token: '2' });
      assert.deepEqual(Object.fromEntries(requests[0]?.query ?? []), { page_size: '10' });
    }));

  it('searches by name and description, from the node or the message', () =>
    managing({ action: 'search', voice_name: 'Me', pages: 'one' }, async (flow, { requests }) => {
      flow.send('node', { description: 'warm' });
      await flow.out('done');
      assert.equal(requests[0]?.path, '/v1/custom-voices/search');
      assert.deepEqual(Object.fromEntries(requests[0]?.query ?? []), { name: 'Me', description: 'warm' });
    }));

  it('sets msg.voice_id if the search finds exactly one voice', () =>
    managing(
      { action: 'search', voice_name: '1' },
      async (flow) => {
        flow.send('node', {});
        const { payload, voice_id } = await flow.out('done');
        assert.deepEqual([payload, voice_id], [[own(1)], 'own-1']);
      },
      () => ({ body: { items: [own(1)], total: 1 } }),
    ));

  it('returns an empty list if the service replies 404', () =>
    managing(
      {},
      async (flow) => {
        flow.send('node', {});
        const { payload, speech } = await flow.out('done');
        assert.deepEqual([payload, speech], [[], { total: 0, next_page_token: undefined }]);
      },
      () => refused(404),
    ));

  it('gets one voice', () =>
    managing({ action: 'get' }, async (flow) => {
      flow.send('node', { voice_id: 'own-2' });
      const { payload, voice_id, speech } = await flow.out('done');
      assert.deepEqual([payload, voice_id, speech], [own(2), 'own-2', { total: 1 }]);
    }));

  it('edits only the given fields of a voice', () =>
    managing({ action: 'edit', voice_id: 'own-2' }, async (flow, { requests }) => {
      flow.send('node', { description: 'warm' });
      const { payload, voice_id } = await flow.out('done');
      assert.deepEqual([payload, voice_id], [{ ...own(2), description: 'warm' }, 'own-2']);
      assert.deepEqual([requests[0]?.method, requests[0]?.json], ['PATCH', { description: 'warm' }]);
    }));

  it('deletes one voice and returns its id', () =>
    managing({ action: 'delete' }, async (flow, { requests }) => {
      flow.send('node', { voice_id: 'own-2' });
      assert.deepEqual((await flow.out('done')).payload, { voice_id: 'own-2' });
      assert.deepEqual([requests[0]?.method, requests[0]?.path], ['DELETE', '/v1/custom-voices/own-2']);
    }));

  it('reads the action from the message if the property names a message field', () =>
    managing({ action: 'do', actionType: 'msg' }, async (flow, { requests }) => {
      flow.send('node', { do: 'get', voice_id: 'own-1' });
      await flow.out('done');
      assert.equal(requests[0]?.path, '/v1/custom-voices/own-1');
    }));

  const invalid: [name: string, properties: object, message: object, says: RegExp][] = [
    ['an unknown action', { action: '' }, { action: 'destroy' }, /^msg\.action is "destroy": .*"list"/],
    ['get without a voice', { action: 'get' }, {}, /^voice_id is missing/],
    [
      "delete without a voice, which never falls back to the account's voice",
      { action: 'delete' },
      {},
      /^voice_id is missing/,
    ],
    ['a number as name', { action: 'search' }, { name: 7 }, /^name is 7: .*enter a text/],
    [
      'edit without a change',
      { action: 'edit' },
      { voice_id: 'own-1' },
      /^name is missing: expected a new name or desc/,
    ],
    [
      'a name of 101 characters',
      { action: 'edit' },
      { voice_id: 'own-1', name: 'x'.repeat(101) },
      /^name is .*at most 100/,
    ],
    ['a voice that would change the path', { action: 'delete' }, { voice_id: '..' }, /^voice_id is "\.\."/],
  ];
  for (const [name, properties, message, says] of invalid) {
    it(`sends the message to fatal without a request: ${name}`, () =>
      managing(properties, async (flow, { requests }) => {
        flow.send('node', message);
        assert.match(errorOf(await flow.out('fatal')).message, says);
        assert.equal(requests.length, 0);
      }));
  }

  it('sends the message to fatal if the voice does not exist', () =>
    managing(
      { action: 'get' },
      async (flow) => {
        flow.send('node', { voice_id: 'gone' });
        assert.equal(errorOf(await flow.out('fatal')).code, 'not-found');
      },
      () => refused(404),
    ));
});

describe('custom voices with the local service', () => {
  keepLocalService();
  const managers = ['search', 'edit', 'get', 'delete'].map((action) =>
    speechNode('custom-voices', { id: action, action }),
  );
  const found = z.object({ payload: z.array(z.looseObject({ voice_id: z.string() })) });

  it('finds a cloned voice by name, renames, gets and deletes it', () =>
    withFlow([localAccount(), speechNode('clone-voice'), ...managers], async (flow) => {
      flow.send('node', { payload: Buffer.from(toneFile(150, 6)), name: 'Grandma' });
      const { voice_id } = await flow.out('done');
      flow.send('search', { name: 'grand' });
      const search = await flow.out('done');
      assert.equal(search['voice_id'], voice_id);
      flow.send('edit', { voice_id, name: 'Grandpa' });
      await flow.out('done');
      flow.send('get', { voice_id });
      assert.deepEqual(z.object({ name: z.string() }).parse((await flow.out('done')).payload), {
        name: 'Grandpa',
      });
      flow.send('delete', { voice_id });
      await flow.out('done');
      flow.send('search', { name: 'grand' });
      assert.deepEqual(found.parse(await flow.out('done')).payload, []);
      flow.send('get', { voice_id });
      assert.equal(errorOf(await flow.out('fatal')).code, 'not-found');
    }));
});
