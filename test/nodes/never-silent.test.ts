import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio } from '@herald-speech/client';
import {
  hostedAccount,
  KEY,
  type Flow,
  type FlowNode,
  speechNode,
  watchers,
  withFlow,
} from '../support/node-red/flow.js';
import { useDataFolder } from '../support/service/local-service.js';
import { audioOf, errorOf, speechOf, statusTexts } from '../support/node-red/messages.js';
import {
  refused,
  type Script,
  type ScriptedServer,
  spoken,
  withServer,
} from '../support/net/scripted-server.js';
import { until } from '../support/waiting.js';
import { describing, isSpeech, LONG_TEXT } from './account/spoken.js';

const credentials = { account: { apiKey: KEY }, other: { apiKey: KEY } };

/** Replies with 503 to all requests for speech. */
const dead: Script = describing([], () => refused(503));
const alive: Script = describing([], () => spoken({ seconds: 0.5 }));

/** Runs `work` with an account of a first service and its fallback, an account of a second service. */
const withTwo = (
  scripts: [first: Script, second: Script],
  nodes: FlowNode[],
  work: (flow: Flow, servers: [first: ScriptedServer, second: ScriptedServer]) => Promise<void>,
  account: object = {},
) =>
  withServer(scripts[0], (first) =>
    withServer(scripts[1], (second) =>
      withFlow(
        [
          hostedAccount(first.url, {
            attempts: '1',
            concurrency: '1',
            fallback: 'account:other',
            ...account,
          }),
          hostedAccount(second.url, { id: 'other', name: 'Second', attempts: '1', voice_id: 'voice-2' }),
          ...nodes,
          ...watchers,
        ],
        (flow) => work(flow, [first, second]),
        { credentials },
      ),
    ),
  );

const greeting = { payload: 'Hello.', language: 'en' };
const node = (more: object = {}) => speechNode('text-to-speech', more);

/** Speaks the first two pieces, then closes each connection without a reply. */
function dying(): Script {
  let sent = 0;
  return describing([], () => ((sent += 1) > 2 ? { lost: true } : spoken({ seconds: 1 })));
}

describe('text to speech with a fallback', () => {
  it('reports the fallback in msg.speech', () =>
    withTwo([dead, describing([VOICE], () => spoken())], [node()], async (flow) => {
      flow.send('node', greeting);
      const { voice_id, fallback } = speechOf(await flow.out('done'));
      assert.equal(voice_id, 'voice-2');
      assert.deepEqual(fallback, {
        account: 'Second',
        voice_id: 'voice-2',
        from: 0,
        code: 'service-failed',
        reason: 'the service is busy or stops (503): send again later',
      });
    }));

  it('shows in yellow which account spoke, and for how long', () =>
    withTwo([dead, describing([VOICE], () => spoken({ seconds: 3 }))], [node()], async (flow) => {
      flow.send('node', greeting);
      await flow.out('done');
      await until(() => statusTexts(flow.received('status-of')).at(-1) === 'Second, 3.0 s');
      const { status } = flow.received('status-of').at(-1) ?? {};
      assert.deepEqual(status && { ...status, source: undefined }, {
        fill: 'yellow',
        shape: 'ring',
        text: 'Second, 3.0 s',
        source: undefined,
      });
    }));

  it('has no report if the account speaks', () =>
    withTwo([alive, dead], [node()], async (flow) => {
      flow.send('node', greeting);
      assert.equal(speechOf(await flow.out('done')).fallback, undefined);
    }));

  it('joins the audio of both accounts in one Buffer, at the sample rate of the first one', () => {
    const other = describing([VOICE], () => spoken({ seconds: 2, sampleRate: 24_000 }));
    return withTwo([dying(), other], [node()], async (flow) => {
      flow.send('node', { payload: LONG_TEXT, language: 'en' });
      const message = await flow.out('done');
      const { chunks, fallback, duration, sampleRate, text } = speechOf(message);
      assert.equal(sampleRate, 8000);
      assert.equal(text, LONG_TEXT);
      const expected = chunks.map((_, index) => (index < 2 ? 1 : 2));
      assert.deepEqual(
        chunks.map((chunk) => chunk.duration),
        expected,
      );
      assert.equal(fallback?.from, 2);
      assert.equal(duration, 2 + 2 * (chunks.length - 2));
      assert.equal(inspectAudio(audioOf(message)).duration, duration);
    });
  });

  it('writes a complete file if the service dies in the middle', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-file-'));
    try {
      const filename = path.join(folder, 'long.wav');
      await withTwo(
        [dying(), describing([VOICE], () => spoken({ seconds: 2 }))],
        [node({ output: 'file', filename })],
        async (flow) => {
          flow.send('node', { payload: LONG_TEXT, language: 'en' });
          const { duration } = speechOf(await flow.out('done'));
          assert.equal(inspectAudio(await readFile(filename)).duration, duration);
          assert.deepEqual(await readdir(folder), ['long.wav']);
        },
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('retries a message only after the fallback failed as well', () =>
    withTwo(
      [dead, describing([VOICE], () => refused(503))],
      [node({ retry_attempts: '2' })],
      async (flow, [first, second]) => {
        flow.send('node', greeting);
        const { code, message } = errorOf(await flow.out('retryable'));
        assert.equal(code, 'service-failed');
        assert.match(message, /; the fallback "Second" failed too: /);
        assert.deepEqual(
          [first, second].map(({ requests }) => requests.filter(isSpeech).length),
          [2, 2],
        );
      },
    ));

  it('sends a message of an account that is its own fallback to fatal, unchanged', () =>
    withTwo(
      [alive, alive],
      [node()],
      async (flow) => {
        flow.send('node', greeting);
        const message = await flow.out('fatal');
        assert.equal(errorOf(message).code, 'not-configured');
        assert.equal(message.payload, 'Hello.');
      },
      { fallback: 'account:account' },
    ));

  it('keeps the order of messages while the circuit opens', () =>
    withTwo([dead, describing([VOICE], () => spoken())], [node()], async (flow) => {
      for (let place = 0; place < 8; place += 1) flow.send('node', { ...greeting, place });
      const places = [];
      for (let place = 0; place < 8; place += 1) places.push((await flow.out('done'))['place']);
      assert.deepEqual(places, [0, 1, 2, 3, 4, 5, 6, 7]);
    }));
});

const VOICE = { voice_id: 'voice-2', gender: 'female', language: ['en'] };

describe('text to speech above a budget', () => {
  useDataFolder();
  const predicting: Script = (request, index) =>
    request.path.startsWith('/v1/predict-duration/') ? { body: { duration: 7 } } : alive(request, index);

  it('sends the message to out of credits with the figures, and pays nothing', () =>
    withTwo(
      [predicting, alive],
      [node()],
      async (flow, [{ requests }]) => {
        flow.send('node', greeting);
        const message = await flow.out('no-credits');
        const { code, route, budget } = errorOf(message);
        assert.deepEqual([code, route], ['over-budget', 'out-of-credits']);
        assert.deepEqual(budget, {
          per: 'message',
          unit: 'seconds',
          limit: 5,
          used: 0,
          needed: 7,
          resets: undefined,
        });
        assert.equal(message.payload, 'Hello.');
        assert.equal(requests.filter(isSpeech).length, 0);
        assert.ok(statusTexts(flow.received('status-of')).includes('Over budget'));
      },
      { fallback: 'none', budgetPerMessage: '5' },
    ));
});
