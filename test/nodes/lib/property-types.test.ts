import assert from 'node:assert/strict';
import cloneVoice = require('../../../nodes/clone-voice.js');
import credits = require('../../../nodes/credits.js');
import customVoices = require('../../../nodes/custom-voices.js');
import predictDuration = require('../../../nodes/predict-duration.js');
import textToSpeech = require('../../../nodes/text-to-speech.js');
import usage = require('../../../nodes/usage.js');
import voiceSearch = require('../../../nodes/voice-search.js');
import { wavOf } from '../../support/audio-files.js';
import { type Flow, type Message, speechNode, withHostedFlow } from '../../support/node-red/flow.js';
import { withEnvironment } from '../../support/net/proxy.js';
import { type Scripted, type Seen, spoken } from '../../support/net/scripted-server.js';

const VARIABLE = 'HERALD_TEST_VALUE';

/** A property of a node with a value, and a function that reads the value from the request or the result. */
interface Case {
  node: {
    definition: {
      type: string;
      properties: Partial<Record<string, { types: readonly string[]; ofNode?: boolean }>>;
    };
  };
  property: string;
  more?: object;
  value: string | number | boolean | object;
  found: (request: Seen, message: Message) => unknown;
}

const inBody = (field: string) => (request: Seen) => request.json[field];
const inQuery = (field: string) => (request: Seen) => request.query.get(field);

const cases: Case[] = [
  { node: textToSpeech, property: 'style', value: 'happy', found: inBody('style') },
  {
    node: textToSpeech,
    property: 'voice_settings',
    value: { speed: 1.5 },
    found: inBody('voice_settings'),
  },
  { node: textToSpeech, property: 'include_phonemes', value: true, found: inBody('include_phonemes') },
  { node: predictDuration, property: 'model', value: 'main_speech_2', found: inBody('model') },
  { node: voiceSearch, property: 'gender', value: 'female', found: inQuery('gender') },
  {
    node: cloneVoice,
    property: 'voice_name',
    value: 'Grandma',
    found: ({ body }) => /Grandma/.exec(body.toString('latin1'))?.[0],
  },
  {
    node: customVoices,
    property: 'description',
    more: { action: 'search' },
    value: 'warm',
    found: inQuery('description'),
  },
  { node: usage, property: 'bucket_width', value: 'hour', found: inQuery('bucket_width') },
  {
    node: credits,
    property: 'threshold',
    value: 8,
    found: (_request, { speech }) => (same(speech, { low: true }) ? 8 : 0),
  },
];

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function script({ path }: Seen): Scripted {
  if (path.startsWith('/v1/text-to-speech/')) return spoken();
  if (path.startsWith('/v1/predict-duration/')) return { body: { duration: 1 } };
  if (path === '/v1/credits') return { body: { balance: 7 } };
  return { body: { items: [], total: 0, data: [], voice_id: 'mine' } };
}

/** For each source: the saved property, and the message or context that must provide the value. */
const sources: Record<
  string,
  (value: Case['value']) => { saved: string; message?: object; context?: 'flow' | 'global' }
> = {
  msg: (value) => ({ saved: 'deep.in[0]', message: { deep: { in: [value] } } }),
  flow: () => ({ saved: 'kept', context: 'flow' }),
  global: () => ({ saved: 'kept', context: 'global' }),
  env: () => ({ saved: VARIABLE }),
  jsonata: (value) => ({ saved: `$eval(given)`, message: { given: JSON.stringify(value) } }),
};

async function foundBy({ node, property, more, value, found }: Case, source: string): Promise<unknown> {
  const { saved, message, context } = sources[source]?.(value) ?? assert.fail();
  const type = node.definition.type.replace('herald-', '');
  const inText = typeof value === 'string' ? value : JSON.stringify(value);
  const properties = { [property]: saved, [`${property}Type`]: source, ...more };
  let result: unknown;
  const work = async (flow: Flow, { requests }: { requests: Seen[] }) => {
    if (context) flow.node('node').context()[context].set('kept', value);
    const payload = node === cloneVoice ? wavOf({ seconds: 6 }) : 'Hello.';
    flow.send('node', { payload, name: 'Me', ...message });
    const left = await flow.out('done');
    result = found(requests[0] ?? assert.fail(), left);
  };
  await withEnvironment({ [VARIABLE]: inText }, () =>
    withHostedFlow(script, [speechNode(type, properties)], work),
  );
  return result;
}

describe('a property', () => {
  for (const one of cases) {
    const { definition } = one.node;
    for (const source of Object.keys(sources)) {
      it(`reads ${one.property} of ${definition.type} from ${source}`, async () => {
        assert.deepEqual(await foundBy(one, source), one.value);
      });
    }
  }

  for (const { definition } of new Set(cases.map(({ node }) => node))) {
    it(`accepts every source for each property of ${definition.type}`, () => {
      for (const [name, property] of Object.entries(definition.properties)) {
        // A setting of the node itself has no message.
        if (property?.ofNode === true) continue;
        const missing = Object.keys(sources).filter((source) => !property?.types.includes(source));
        assert.deepEqual(missing, [], name);
      }
    });
  }

  it('counts as unset if its environment variable is empty', () =>
    withEnvironment({ [VARIABLE]: '' }, () =>
      withHostedFlow(
        script,
        [speechNode('text-to-speech', { style: VARIABLE, styleType: 'env' })],
        async (flow, { requests }) => {
          flow.send('node', { payload: 'Hello.' });
          await flow.out('done');
          assert.ok(!('style' in (requests[0]?.json ?? {})));
        },
      ),
    ));
});
