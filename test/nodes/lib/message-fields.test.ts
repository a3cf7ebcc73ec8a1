import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { wavOf } from '../../support/audio-files.js';
import { type Message, speechNode, withHostedFlow } from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { earlySpeechOf, errorOf, speechOf } from '../../support/node-red/messages.js';
import { nodeNames } from '../../support/node-red/node-names.js';
import { type Scripted, type Seen, spoken } from '../../support/net/scripted-server.js';
import { makeAll, rowsOf } from '../prompts/files/prompt-set.js';

const definitions = z.object({
  properties: z.record(
    z.string(),
    z.object({
      source: z.string(),
      value: z.string(),
      choices: z.array(z.string()).optional(),
      ofNode: z.boolean().optional(),
      isScoped: z.boolean().optional(),
    }),
  ),
});

/** The properties of each node, from its definition. Listen and account have none. */
const properties = nodeNames.flatMap((name) => {
  const found = definitions.safeParse(require(`../../../nodes/${name}.ts`).definition);
  return found.success
    ? Object.entries(found.data.properties).map(([field, property]) => ({
        name,
        field,
        ...property,
      }))
    : [];
});

/**
 * A message cannot set a property of the node, such as the one whose field controls the node. Properties of speakers have their
 * tests in `test/nodes/speakers/`.
 */
const literals = properties.filter(
  ({ source, value, ofNode, isScoped }) =>
    ['str', 'num', 'bool', 'json'].includes(source) && value !== '' && ofNode !== true && isScoped !== true,
);

/** The effect of a message field: a value that is not the default, and the change of the request or the result. */
interface Case {
  value: unknown;
  more?: object | ((folder: string) => object);
  /** Makes files in the folder of `msg.folder` before. */
  prepare?(folder: string): Promise<unknown>;
  effect(message: Message, requests: readonly Seen[]): void;
}

const prompts = { payload: [{ text: 'Hello.', filename: 'hello.wav' }] };
const report = z.object({ action: z.string(), deleted: z.array(z.string()), seconds: z.number() });
const reportIn = ({ payload }: Message) => report.parse(payload);

const voicePath = (expected: string) => (_message: Message, requests: readonly Seen[]) =>
  assert.equal(requests[0]?.path, expected);
const cases: Record<string, Case> = {
  'text-to-speech.output': {
    value: 'url',
    more: { base_url: 'http://kitchen:1880' },
    effect: ({ payload }) => assert.match(String(payload), /^http:\/\/kitchen:1880\/herald\/audio\//),
  },
  'prompts.action': {
    value: 'plan',
    more: prompts,
    effect: (message) => assert.equal(reportIn(message).action, 'plan'),
  },
  'prompts.gone': {
    value: 'delete',
    more: prompts,
    prepare: (folder) => makeAll(folder, rowsOf({ 'old.wav': 'Goodbye.' })),
    effect: (message) => assert.deepEqual(reportIn(message).deleted, ['old.wav']),
  },
  'prompts.chime': {
    value: 'gong',
    more: prompts,
    effect: (message) => assert.ok(reportIn(message).seconds > 0.5),
  },
  'text-to-speech.order': {
    value: 'interrupt',
    effect: (message) => assert.equal(speechOf(message).order, 'interrupt'),
  },
  'voice-search.library': { value: 'own', effect: voicePath('/v1/custom-voices/search') },
  'voice-search.style_match': {
    value: 'all',
    more: { style: 'happy,sad' },
    effect: (_message, requests) => assert.equal(requests[0]?.query.get('style'), 'happy;sad'),
  },
  'voice-search.pages': {
    value: 'all',
    effect: (_message, requests) => assert.equal(requests[0]?.query.get('page_size'), '100'),
  },
  'voice-search.output': {
    value: 'each',
    effect: ({ payload }) => assert.equal(Array.isArray(payload), false),
  },
  'custom-voices.action': {
    value: 'get',
    more: { voice_id: 'mine' },
    effect: voicePath('/v1/custom-voices/mine'),
  },
  'text-to-speech.url_when': {
    value: 'first',
    more: { output: 'url', payload: 'One sentence after the other is spoken. '.repeat(20) },
    effect: (message) => void earlySpeechOf(message),
  },
  'text-to-speech.captions': {
    value: 'srt',
    more: (folder) => ({ output: 'file', filename: path.join(folder, 'hello.wav') }),
    effect: (message) => assert.match(speechOf(message).captionsFile ?? '', /hello\.srt$/),
  },
  'text-to-speech.chime': {
    value: 'gong',
    effect: (message) => assert.ok((speechOf(message).chunks[0]?.start ?? 0) > 0),
  },
  'custom-voices.pages': {
    value: 'one',
    effect: (_message, requests) => assert.equal(requests[0]?.query.get('page_size'), null),
  },
  'credits.threshold': {
    value: '5',
    effect: ({ speech }) => assert.deepEqual(speech, { low: false }),
  },
  'usage.report': { value: 'voice', effect: voicePath('/v1/voice-usage') },
  'usage.bucket_width': {
    value: 'hour',
    effect: (_message, requests) => assert.equal(requests[0]?.query.get('bucket_width'), 'hour'),
  },
};

const found = { voice_id: 'mine', name: 'Me', description: '' };
const preset = { age: '', gender: '', use_case: '', use_cases: [], language: [], styles: [], models: [] };

function script({ path: at }: Seen): Scripted {
  if (at.startsWith('/v1/text-to-speech/')) return spoken();
  if (at === '/v1/credits') return { body: { balance: 7 } };
  if (at.startsWith('/v1/usage')) return { body: { data: [], total: 0 } };
  return { body: { ...found, items: [{ ...found, ...preset }], total: 1, usages: [] } };
}

describe('a message field with the name of a property', () => {
  const folder = useDataFolder();

  it('is tested for every property with a typed default', () => {
    const names = literals.map(({ name, field }) => `${name}.${field}`);
    assert.deepEqual(names.sort(byName), Object.keys(cases).sort(byName));
  });

  for (const { name, field, value: saved } of literals) {
    const {
      value,
      more = {},
      prepare,
      effect,
    } = cases[`${name}.${field}`] ?? assert.fail(`no case for ${name}.${field}`);
    for (const [kind, node] of Object.entries({
      'a new node': { [field]: saved },
      'a blank property': { [field]: '' },
      'a flow without the property': {},
    })) {
      it(`wins for ${field} of ${name}: ${kind}`, () =>
        withHostedFlow(script, [speechNode(name, node)], async (flow, { requests }) => {
          const place = await mkdtemp(path.join(folder(), 'prompts-'));
          await prepare?.(place);
          const others = typeof more === 'function' ? more(place) : more;
          flow.send('node', { payload: 'Hello.', folder: place, ...others, [field]: value });
          effect(await flow.out('done'), requests);
        }));
    }
  }

  it('does not replace a changed property', () =>
    withHostedFlow(
      script,
      [speechNode('text-to-speech', { order: 'replace', voice_id: 'fixed' })],
      async (flow, { requests }) => {
        flow.send('node', { payload: 'Hello.', order: 'interrupt', voice_id: 'other' });
        assert.equal(speechOf(await flow.out('done')).order, 'replace');
        assert.match(requests[0]?.path ?? '', /fixed$/);
      },
    ));

  for (const { name, field, choices } of literals.filter(({ choices }) => choices !== undefined)) {
    it(`is named in the error if ${field} of ${name} has an invalid value`, () =>
      withHostedFlow(script, [speechNode(name)], async (flow, { requests }) => {
        flow.send('node', { payload: 'Hello.', folder: folder(), [field]: { other: 1 } });
        const { code, message } = errorOf(await flow.out('fatal'));
        assert.equal(code, 'bad-request');
        assert.match(message, new RegExp(`^msg\\.${field} is \\{ other: 1 \\}: `));
        for (const choice of choices ?? []) assert.ok(message.includes(`"${choice}"`), message);
        assert.equal(requests.length, 0);
      }));
  }

  it('sets output and filename of a new text to speech node', () =>
    withHostedFlow(
      script,
      [speechNode('text-to-speech', { output: 'buffer', filename: '' })],
      async (flow) => {
        const filename = path.join(folder(), 'hello.wav');
        flow.send('node', { payload: 'Hello.', output: 'file', filename });
        await flow.out('done');
        assert.ok((await readFile(filename)).length > 44);
      },
    ));
});

const byName = (one: string, other: string) => one.localeCompare(other);

describe('a value that arrives as text', () => {
  const sent = async (
    name: string,
    node: object,
    message: object,
  ): Promise<{ request: Seen; left: Message }> => {
    let request: Seen | undefined;
    let left: Message | undefined;
    await withHostedFlow(script, [speechNode(name, node)], async (flow, { requests }) => {
      flow.send('node', { payload: 'Hello.', ...message });
      left = await flow.out('done');
      [request] = requests;
    });
    return { request: request ?? assert.fail(), left: left ?? assert.fail() };
  };

  for (const [given, expected] of [
    ['10', '10'],
    [' 25 ', '25'],
    ['1e2', '100'],
  ] as const) {
    it(`is accepted as a number: ${JSON.stringify(given)}`, async () => {
      const { request } = await sent('voice-search', {}, { page_size: given });
      assert.equal(request.query.get('page_size'), expected);
      const again = await sent('voice-search', { page_size: 'size', page_sizeType: 'msg' }, { size: given });
      assert.equal(again.request.query.get('page_size'), expected);
    });
  }

  for (const given of ['ten', '1,5', '0x10', '10 px', '9007199254740993']) {
    it(`is rejected with its original value if it is no exact number: ${given}`, () =>
      withHostedFlow(script, [speechNode('voice-search')], async (flow, { requests }) => {
        flow.send('node', { page_size: given });
        assert.match(
          errorOf(await flow.out('fatal')).message,
          new RegExp(`^msg\\.page_size is "${given}": `),
        );
        assert.equal(requests.length, 0);
      }));
  }

  for (const [given, expected] of [
    ['true', true],
    ['FALSE', false],
  ] as const) {
    it(`is accepted as a boolean: ${given}`, async () => {
      const { request } = await sent('text-to-speech', {}, { include_phonemes: given, payload: 'Hello.' });
      assert.equal(request.json['include_phonemes'], expected);
    });
  }

  it('is accepted for voice settings: JSON, and numbers in an object', async () => {
    for (const voice_settings of ['{"speed": 1.2, "pitch_shift": -2}', { speed: '1.2', pitch_shift: '-2' }]) {
      const { request } = await sent('text-to-speech', {}, { voice_settings });
      assert.deepEqual(request.json['voice_settings'], { speed: 1.2, pitch_shift: -2 });
    }
  });

  it('counts as unset for a number if it is empty', async () => {
    const { request } = await sent('voice-search', {}, { page_size: '' });
    assert.equal(request.query.get('page_size'), null);
  });

  it('sets msg.priority', () =>
    withHostedFlow(script, [speechNode('text-to-speech')], async (flow) => {
      for (const [topic, priority] of [
        ['first', '0'],
        ['low', '-1'],
        ['high', '10'],
        ['middle', '9'],
      ] as const) {
        flow.send('node', { payload: 'Hello.', topic, priority });
      }
      const order = [];
      for (let count = 0; count < 4; count += 1) order.push((await flow.out('done')).topic);
      assert.deepEqual(
        order.filter((topic) => topic !== 'first'),
        ['high', 'middle', 'low'],
      );
    }));

  it('clones a voice under a name from a CSV file', async () => {
    const { request } = await sent('clone-voice', {}, { payload: wavOf({ seconds: 6 }), name: 'Anna' });
    assert.match(request.body.toString('latin1'), /Anna/);
  });
});

describe('an unknown voice setting', () => {
  it('is sent unchanged and listed in msg.speech.warnings', () =>
    withHostedFlow(script, [speechNode('text-to-speech')], async (flow, { requests }) => {
      flow.send('node', { payload: 'Hello.', voice_settings: { warmth: 'high', speed: 1.1 } });
      const { warnings } = speechOf(await flow.out('done'));
      assert.deepEqual(warnings, ['voice_settings.warmth: unknown, sent unchanged']);
      assert.deepEqual(requests[0]?.json['voice_settings'], { warmth: 'high', speed: 1.1 });
    }));
});
