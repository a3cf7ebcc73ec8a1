import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import {
  type Flow,
  localAccount,
  type Message,
  speechNode,
  withFlow,
  withHostedFlow,
} from '../support/node-red/flow.js';
import { errorOf } from '../support/node-red/messages.js';
import { shareLocalService } from '../support/service/local-service.js';
import { refused, type Scripted, type ScriptedServer, type Seen } from '../support/net/scripted-server.js';

const preset = (id: number) => ({
  voice_id: `voice-${id}`,
  name: `Voice ${id}`,
  age: 'elder',
  gender: 'female',
  use_case: 'meme',
  use_cases: ['meme'],
  language: ['en'],
  styles: ['neutral'],
  models: ['main_speech_1'],
});

/** A service with three pages of two voices each. */
const threePages = ({ query }: Seen): Scripted => {
  const page = Number(query.get('next_page_token') ?? 0);
  const items = [preset(2 * page), preset(2 * page + 1)];
  return { body: { items, total: 6, ...(page < 2 && { next_page_token: String(page + 1) }) } };
};
const none = (): Scripted => ({ body: { items: [], total: 0 } });

const idsOf = ({ payload }: Message) =>
  z
    .array(z.object({ voice_id: z.string() }))
    .parse(payload)
    .map((voice) => voice.voice_id);
const ALL = [0, 1, 2, 3, 4, 5].map((id) => `voice-${id}`);

const searching = (
  properties: object,
  work: (flow: Flow, server: ScriptedServer) => Promise<void>,
  script: (request: Seen) => Scripted = threePages,
) => withHostedFlow(script, [speechNode('voice-search', properties)], work);

const askedWith = (properties: object, message: object): Promise<Record<string, string>> => {
  let query: Record<string, string> = {};
  return searching(
    properties,
    async (flow, { requests }) => {
      flow.send('node', message);
      await flow.out('done');
      query = Object.fromEntries(requests[0]?.query ?? []);
    },
    none,
  ).then(() => query);
};

describe('voice search', () => {
  const filters = {
    name: 'An Na',
    description: 'warm',
    language: 'ko,en',
    gender: 'female',
    age: 'elder,child',
    use_case: 'meme',
    use_cases: 'game,meme',
    style: 'happy,sad',
    model: 'main_speech_2',
    page_size: '50',
    next_page_token: 'abc',
  };
  for (const [field, value] of Object.entries(filters)) {
    it(`filters by ${field}, from the node or the message`, async () => {
      const property = field === 'name' ? 'voice_name' : field;
      assert.deepEqual(await askedWith({ [property]: value }, {}), { [field]: value });
      const inMessage = field === 'page_size' ? Number(value) : value;
      assert.deepEqual(await askedWith({}, { [field]: inMessage }), { [field]: value });
    });
  }

  it('passes the facts of natural voices on', () => {
    const natural = { natural: true, quality: 'medium', licence: 'CC0', live: false, real_time_factor: 0.9 };
    return searching(
      {},
      async (flow) => {
        flow.send('node', {});
        const { payload } = await flow.out('done');
        assert.deepEqual(payload, [{ ...preset(0), ...natural }]);
      },
      () => ({ body: { items: [{ ...preset(0), ...natural }] } }),
    );
  });

  it('ignores its label and the voice and language of the account', async () => {
    assert.deepEqual(await askedWith({ name: 'find a voice' }, {}), {});
  });

  it('accepts names of languages, and values in any case', async () => {
    const filters = { language: 'German, ko', gender: 'Female', style: 'Happy,SAD' };
    assert.deepEqual(await askedWith({}, filters), {
      language: 'de,ko',
      gender: 'female',
      style: 'happy,sad',
    });
  });

  it('searches for any or all of several styles', async () => {
    assert.deepEqual(await askedWith({ style: 'happy,sad' }, {}), { style: 'happy,sad' });
    assert.deepEqual(await askedWith({ style: 'happy,sad', style_match: 'all' }, {}), { style: 'happy;sad' });
  });

  it('returns one page and the token of the next page', () =>
    searching({}, async (flow, { requests }) => {
      flow.send('node', {});
      const message = await flow.out('done');
      assert.deepEqual(idsOf(message), ALL.slice(0, 2));
      assert.deepEqual(message['speech'], { total: 6, next_page_token: '1' });
      assert.equal(requests.length, 1);
    }));

  it('returns all pages', () =>
    searching({ pages: 'all' }, async (flow, { requests }) => {
      flow.send('node', {});
      const message = await flow.out('done');
      assert.deepEqual(idsOf(message), ALL);
      assert.deepEqual(message['speech'], { total: 6, next_page_token: undefined });
      assert.equal(requests.length, 3);
    }));

  it('searches custom voices by name, description and style', () =>
    searching(
      { library: 'own', voice_name: 'Me', style: 'neutral' },
      async (flow, { requests }) => {
        flow.send('node', {});
        assert.deepEqual(idsOf(await flow.out('done')), ['mine']);
        assert.equal(requests[0]?.path, '/v1/custom-voices/search');
        assert.deepEqual(Object.fromEntries(requests[0]?.query ?? []), { name: 'Me', style: 'neutral' });
      },
      () => ({ body: { items: [{ voice_id: 'mine', name: 'Me', description: null }], total: 1 } }),
    ));

  it('returns one voice by its ID, or none if the service does not have it', async () => {
    const script = ({ path }: Seen): Scripted =>
      path.endsWith('/gone') ? refused(404) : { body: { ...preset(7), description: null } };
    for (const [properties, path, ids] of [
      [{ voice_id: 'voice-7' }, '/v1/voices/voice-7', ['voice-7']],
      [{ voice_id: 'one', voice_idType: 'msg', library: 'own' }, '/v1/custom-voices/mine', ['voice-7']],
      [{ voice_id: 'gone' }, '/v1/voices/gone', []],
      [{}, '/v1/voices/search', []],
    ] as const) {
      const work = async (flow: Flow, { requests }: ScriptedServer) => {
        flow.send('node', { one: 'mine', voice_id: 'of-an-earlier-node' });
        assert.deepEqual(idsOf(await flow.out('done')), ids);
        assert.equal(requests[0]?.path, path);
      };
      const service = path.endsWith('/search') ? none : script;
      const node = speechNode('voice-search', properties);
      await withHostedFlow(service, [node], work, { describesVoices: true });
    }
  });

  it('rejects filters that custom voices do not have, and names them', () =>
    searching({ library: 'own', gender: 'female' }, async (flow, { requests }) => {
      flow.send('node', { language: 'de' });
      const { code, message } = errorOf(await flow.out('fatal'));
      const rule = 'custom voices have only the filters name, description and style: leave this one blank';
      assert.equal(code, 'bad-request');
      assert.match(message, new RegExp(`^msg\\.language is "de": ${rule}; .*gender.* is "female": ${rule}$`));
      assert.equal(requests.length, 0);
    }));

  const join = { id: 'join', type: 'join', mode: 'auto', wires: [['joined']] };
  const each = speechNode('voice-search', {
    output: 'each',
    pages: 'all',
    wires: [['join', 'done'], [], [], []],
  });

  it('sends one message per voice, with msg.voice_id for the next node', () =>
    withHostedFlow(threePages, [each, join], async (flow) => {
      flow.send('node', { topic: 'kept' });
      for (const voice_id of ALL) {
        const message = await flow.out('done');
        assert.equal(message['voice_id'], voice_id);
        assert.equal(message.topic, 'kept');
      }
    }));

  it('sends a sequence that a join node joins', () =>
    withHostedFlow(threePages, [each, join], async (flow) => {
      flow.send('node', {});
      assert.deepEqual(idsOf(await flow.out('joined')), ALL);
    }));

  it('keeps the outer sequence of the message', () =>
    withHostedFlow(threePages, [each, join], async (flow) => {
      const parts = { id: 'outer', type: 'array', len: 1, index: 3, count: 9 };
      flow.send('node', { parts });
      assert.deepEqual((await flow.out('joined'))['parts'], parts);
    }));

  for (const output of ['array', 'each']) {
    it(`sends one empty list if no voice is found (output: ${output})`, () =>
      searching(
        { output, pages: 'all' },
        async (flow) => {
          flow.send('node', {});
          const message = await flow.out('done');
          assert.deepEqual(message.payload, []);
          assert.ok(!('parts' in message));
        },
        none,
      ));
  }
});

describe('voice search with the local service', () => {
  shareLocalService();

  it('finds a voice that the next text to speech node uses', () =>
    withFlow(
      [
        localAccount(),
        speechNode('voice-search', {
          output: 'each',
          page_size: '10',
          wires: [['speak'], ['failed'], ['failed'], []],
        }),
        speechNode('text-to-speech', { id: 'speak', text: 'Hello.', textType: 'str' }),
      ],
      async (flow) => {
        flow.send('node', { gender: 'female' });
        const { voice_id } = z.object({ voice_id: z.string() }).parse((await flow.out('done'))['speech']);
        assert.ok(voice_id.length > 0);
        assert.deepEqual([...flow.received('failed'), ...flow.received('fatal')], []);
      },
    ));
});
