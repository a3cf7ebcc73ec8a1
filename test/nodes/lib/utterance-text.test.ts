import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { type Flow, speechNode, watchers, withHostedFlow } from '../../support/node-red/flow.js';
import { errorOf, statusTexts } from '../../support/node-red/messages.js';
import { withEnvironment } from '../../support/net/proxy.js';
import { refused, type Script, spoken } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';

const script: Script = ({ path }) =>
  path.startsWith('/v1/predict-duration/') ? { body: { duration: 1 } } : spoken();

const filled = z.object({ status: z.object({ fill: z.string() }) });
const spokenMessage = z.object({ speech: z.object({ warnings: z.array(z.string()) }) });

/** Sends a message to a node and returns the sent text and the warnings. */
async function said(
  properties: object,
  message: object,
  prepare: (flow: Flow) => void = () => {},
  type = 'text-to-speech',
): Promise<[text: unknown, warnings: unknown]> {
  return withHostedFlow(script, [speechNode(type, properties)], async (flow, { requests }) => {
    prepare(flow);
    flow.send('node', message);
    const { speech } = spokenMessage.parse(await flow.out('done'));
    return [requests[0]?.json['text'], speech.warnings];
  });
}

const typed = (text: string) => ({ text, textType: 'str' });
const textOf = async (...given: Parameters<typeof said>) => (await said(...given))[0];

describe('a typed text', () => {
  const payload = {
    temperature: 21.5,
    room: 'A & B <1',
    rooms: [{ name: 'Hall' }, { name: 'Attic' }],
    ok: true,
  };

  it('is filled in as a template from the message, without HTML entities', async () => {
    const text = 'In {{payload.room}} it is {{ payload.temperature }} °C{{payload.none}}, {{{topic}}}.';
    assert.equal(
      await textOf({ ...typed(text), markup: 'read' }, { payload, topic: 'R&D' }),
      'In A & B <1 it is 21.5 °C, R&D.',
    );
  });

  it('supports sections, lists and inverted sections, and keeps the lines', async () => {
    const text =
      '{{#payload.rooms}}{{name}}: {{topic}}.\n{{/payload.rooms}}{{^payload.bad}}All good.{{/payload.bad}}';
    assert.equal(
      await textOf(typed(text), { payload, topic: 'warm' }),
      'Hall: warm.\nAttic: warm.\nAll good.',
    );
  });

  it('reads the context and the environment, also in a section', () =>
    withEnvironment({ HERALD_TEST_PLACE: 'Berlin' }, async () => {
      const text =
        '{{flow.mood}} {{global.deep.count}} {{flow[default].mood}} {{env.HERALD_TEST_PLACE}} {{#payload.ok}}{{flow.mood}}{{/payload.ok}}{{flow.none}}';
      const prepare = (flow: Flow) => {
        flow.node('node').context().flow.set('mood', 'happy');
        flow.node('node').context().global.set('deep', { count: 3 });
      };
      assert.equal(await textOf(typed(text), { payload }, prepare), 'happy 3 happy Berlin happy');
    }));

  it('is filled in by the predict duration node too', async () => {
    assert.equal(
      await textOf(typed('{{payload}} degrees'), { payload: 5 }, undefined, 'predict-duration'),
      '5 degrees',
    );
  });

  for (const type of ['text-to-speech', 'predict-duration'])
    it(`warns of tags without a value in the message and in the status of ${type}`, () =>
      withHostedFlow(
        script,
        [
          speechNode(
            type,
            typed('It is {{payload.temprature}} in {{payload.room}}{{#payload.x}}{{x}}{{/payload.x}}.'),
          ),
          ...watchers,
        ],
        async (flow) => {
          flow.send('node', { payload });
          const { speech } = spokenMessage.parse(await flow.out('done'));
          assert.deepEqual(speech.warnings, [
            'text: the tag {{payload.temprature}} has no value: correct its name, or write {{#payload.temprature}}{{payload.temprature}}{{/payload.temprature}} if the value may be missing',
          ]);
          await until(() => statusTexts(flow.received('status-of')).at(-1) === 'Empty: payload.temprature');
          const last = flow.received('status-of').at(-1);
          assert.equal(filled.parse(last).status.fill, 'yellow');
        },
      ));

  it('names the tag without a value if the rest of the text is blank', () =>
    withHostedFlow(script, [speechNode('text-to-speech', typed('{{payload.none}}'))], async (flow) => {
      flow.send('node', { payload });
      const { message } = errorOf(await flow.out('fatal'));
      assert.match(message, /^text: the tag \{\{payload\.none\}\} has no value: .*; text is "": /);
    }));

  it('names only the missing folder if a tag has no value and the folder of the file is missing', () =>
    withHostedFlow(
      script,
      [speechNode('text-to-speech', { ...typed('Hello {{payload.none}}'), output: 'file' }), ...watchers],
      async (flow) => {
        flow.send('node', { payload, filename: '/no-folder/of-herald/hello.wav' });
        const { message } = errorOf(await flow.out('fatal'));
        assert.doesNotMatch(message, /the tag/);
        await until(() => statusTexts(flow.received('status-of')).at(-1) === 'Folder missing');
      },
    ));

  it('leaves on fatal without a request if the template is invalid', () =>
    withHostedFlow(
      script,
      [speechNode('text-to-speech', typed('{{#payload}}'))],
      async (flow, { requests }) => {
        flow.send('node', { payload: 'x' });
        const { code, message } = errorOf(await flow.out('fatal'));
        assert.equal(code, 'bad-request');
        assert.match(message, /Unclosed section "payload"/);
        assert.equal(requests.length, 0);
      },
    ));
});

describe('a text from a message', () => {
  it('is no template', async () => {
    assert.equal(await textOf({}, { payload: 'Say {{topic}}', topic: 'x', markup: 'read' }), 'Say {{topic}}');
    assert.equal(
      await textOf(typed('{{payload}}'), { payload: '{{topic}} now', topic: 'x' }),
      '{{topic}} now',
    );
  });

  it('loses its markup and emoji, with warnings', async () => {
    const payload = '<speak>Hello <b>you</b> &amp; me</speak> 😀, 5 < 7';
    const warnings = ['text: markup was removed', 'text: emoji were removed'];
    assert.deepEqual(await said({}, { payload }), ['Hello you & me\n, 5 < 7', warnings]);
    assert.deepEqual(await said({}, { payload: '5 < 7' }), ['5 < 7', []]);
  });

  for (const [where, properties, message] of [
    ['the property', { markup: 'read' }, {}],
    ['msg.markup', {}, { markup: 'read' }],
  ] as const) {
    it(`is read with its markup if ${where} is "read"`, async () => {
      assert.deepEqual(await said(properties, { payload: '<b>Hi</b> 😀', ...message }), ['<b>Hi</b> 😀', []]);
    });
  }

  it('leaves on fatal without a request if markup has another value', () =>
    withHostedFlow(script, [speechNode('text-to-speech')], async (flow, { requests }) => {
      flow.send('node', { payload: 'Hi', markup: 'keep' });
      const { message } = errorOf(await flow.out('fatal'));
      assert.match(message, /markup is "keep": expected one of "remove"\|"read"/);
      assert.equal(requests.length, 0);
    }));
});

describe('a text that no service can speak', () => {
  const reasons = {
    '': /expected a text with at least one letter/,
    ' \n': /expected a text with at least one letter/,
    '<break time="1s"/>': /nothing is left without markup and emoji/,
  };
  // Without a voice, the node asks the service for one before it speaks.
  const account = { voice_id: '', attempts: '1' };
  for (const type of ['text-to-speech', 'predict-duration'])
    it(`leaves ${type} on fatal before the first request, so that a service that is down starts no retries`, () =>
      withHostedFlow(
        () => refused(503),
        [speechNode(type)],
        async (flow, { requests }) => {
          for (const [payload, reason] of Object.entries(reasons)) {
            flow.send('node', { payload });
            assert.match(errorOf(await flow.out('fatal')).message, reason);
          }
          assert.equal(requests.length, 0);
        },
        { account },
      ));
});
