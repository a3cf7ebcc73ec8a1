import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type AccountPiece, operations, speakWith as speak, type SpeechError } from '@herald-speech/client';
import { accountOf } from '../../../nodes/account/account-node.js';
import { launch } from '../../../nodes/account/local/service-process.js';
import { fallbackReport } from '../../../nodes/lib/speech-report.js';
import { withFault } from '../../support/net/fault-server.js';
import {
  type Flow,
  type FlowNode,
  hostedAccount,
  KEY,
  localAccount,
  withFlow,
} from '../../support/node-red/flow.js';
import { shareLocalService } from '../../support/service/local-service.js';
import { rejection } from '../../support/rejection.js';
import {
  refused,
  type Script,
  type ScriptedServer,
  spoken,
  withServer,
} from '../../support/net/scripted-server.js';
import { watchingProcesses } from '../../support/service/service-package.js';
import { spokenFacts } from '../../../nodes/lib/announcement-facts.js';
import { describing, isSpeech, LONG_TEXT, speakWith } from './spoken.js';
import { until } from '../../support/waiting.js';

const credentials = { account: { apiKey: KEY }, other: { apiKey: KEY } };
/** One attempt per request, so that a test does not wait for retries. */
const hasty = { attempts: '1', voice_id: '', fallback: 'local' };

/** Runs `work` with the account `account` of a scripted service, and further accounts. */
const withAccount = (
  script: Script,
  work: (flow: Flow, server: ScriptedServer) => Promise<void>,
  { account = {}, others = [] }: { account?: object; others?: FlowNode[] } = {},
) =>
  withServer(script, (server) =>
    withFlow([hostedAccount(server.url, { ...hasty, ...account }), ...others], (flow) => work(flow, server), {
      credentials,
    }),
  );

const other = (url: string, more: object = {}) =>
  hostedAccount(url, { ...hasty, id: 'other', fallback: 'none', ...more });

interface RealService {
  url: string;
  key: string;
  /** Kills the process and waits for its end. */
  kill(): Promise<void>;
}

/** Runs `work` with a separate process of the local service. */
async function withRealService(work: (service: RealService) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-killed-'));
  const stop = new AbortController();
  await watchingProcesses(async (processes) => {
    const run = await launch(folder, stop.signal, () => undefined);
    const kill = async () => {
      processes[0]?.kill('SIGKILL');
      await run.ended;
    };
    try {
      await work({ ...(await run.connection), kill });
    } finally {
      stop.abort();
      await run.ended;
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Two voices of English, one of German. */
const VOICES = [
  { voice_id: 'amy', gender: 'female', language: ['en'] },
  { voice_id: 'bob', gender: 'male', language: ['en', 'de'] },
];

const failing = (reply: Script): Script => describing(VOICES, reply);

describe('an account with the local service as its fallback', () => {
  shareLocalService();

  it('speaks with the fallback if nothing listens at the address of its service', () =>
    withFault('connection refused', ({ url }) =>
      withFlow(
        [hostedAccount(url, hasty)],
        async (flow) => {
          const [piece] = await speakWith(flow, { language: 'de', text: 'Guten Tag.' });
          assert.ok(piece !== undefined && piece.duration > 0.3);
          assert.equal(piece.voice.language, 'de');
          const report = fallbackReport(flow.RED, piece);
          assert.deepEqual([report?.account, report?.from, report?.code], ['local', 0, 'no-connection']);
          assert.equal(report?.voice_id, piece.voice.voice_id);
          assert.match(report?.reason ?? '', /ECONNREFUSED|refused/i);
        },
        { credentials },
      ),
    ));

  it('continues with the missing piece if the service dies in the middle of a text', () => {
    let sent = 0;
    const dying = failing(() => ((sent += 1) > 2 ? { lost: true } : spoken({ seconds: 0.5 })));
    return withAccount(
      dying,
      async (flow) => {
        const pieces = await speakWith(flow, { text: LONG_TEXT, language: 'en' });
        const count = pieces[0]?.count ?? 0;
        assert.ok(count >= 4);
        assert.deepEqual(
          pieces.map(({ index }) => index),
          [...pieces.keys()].slice(0, count),
        );
        assert.equal(pieces.map(({ text }) => text).join(' '), LONG_TEXT);
        assert.deepEqual(
          pieces.map(({ takeover }) => takeover?.from),
          pieces.map((_, index) => (index < 2 ? undefined : 2)),
        );
        let end = 0;
        for (const { start, duration } of pieces) {
          assert.ok(Math.abs(start - end) < 0.01);
          end = start + duration;
        }
      },
      { account: { concurrency: '1' } },
    );
  });

  it('continues with the missing piece after kill -9 of a real service', () =>
    withRealService(async ({ url, key, kill }) => {
      const account = hostedAccount(url, { ...hasty, concurrency: '1' });
      await withFlow(
        [account],
        async ({ RED }) => {
          const pieces: AccountPiece[] = [];
          for await (const piece of speak(accountOf(RED, 'account').speaker, {
            text: LONG_TEXT,
            language: 'en',
          })) {
            if (pieces.length === 0) await kill();
            pieces.push(piece);
          }
          assert.equal(pieces.map(({ text }) => text).join(' '), LONG_TEXT);
          assert.equal(pieces[0]?.takeover, undefined);
          const from = pieces.at(-1)?.takeover?.from ?? 0;
          assert.ok(from > 0);
          assert.deepEqual(
            pieces.map(({ takeover }) => takeover !== undefined),
            pieces.map(({ index }) => index >= from),
          );
        },
        { credentials: { account: { apiKey: key } } },
      );
    }));

  it('speaks with the fallback if the service gives no audio in time', () =>
    withAccount(
      failing(({ gone }) => new Promise((resolve) => gone.addEventListener('abort', () => resolve({})))),
      async (flow, { requests }) => {
        const [piece] = await speakWith(flow);
        assert.equal(piece?.takeover?.reason.code, 'timed-out');
        assert.equal(piece.takeover.reason.message, 'no audio within 0.2 s');
        await until(() => requests.filter(isSpeech).every(({ gone }) => gone.aborted));
      },
      { account: { fallbackAfter: '0.2' } },
    ));

  it('speaks with the fallback if the account is out of credits', () =>
    withAccount(
      failing(() => refused(402)),
      async (flow) => {
        const [piece] = await speakWith(flow);
        assert.equal(piece?.takeover?.reason.code, 'out-of-credits');
      },
    ));

  it('speaks with a voice of the same gender', () =>
    withAccount(
      failing(() => refused(503)),
      async (flow) => {
        const [woman] = await speakWith(flow, { voice_id: 'amy', language: 'en' });
        const [man] = await speakWith(flow, { voice_id: 'bob', language: 'en' });
        const { searchVoices } = operations;
        const client = await accountClient(flow, 'speaker');
        const { items } = await client.call(searchVoices, { language: 'en', page_size: 100 });
        const genderOf = (id?: string) => items.find(({ voice_id }) => voice_id === id)?.gender;
        assert.deepEqual(
          [genderOf(woman?.voice.voice_id), genderOf(man?.voice.voice_id)],
          ['female', 'male'],
        );
      },
      { others: [{ ...localAccount(), id: 'speaker' }] },
    ));

  it('leaves with the error of the service, and a note, if the fallback does not speak the language', () =>
    withAccount(
      failing(() => refused(503)),
      async (flow) => {
        const error = await rejection(speakWith(flow, { voice_id: 'zoe', language: 'xx' }));
        assert.equal(error.code, 'service-failed');
        assert.match(error.message, /\(503\).*the fallback "local" failed too: The service has no xx voice/);
      },
    ));

  it('does not use the fallback for a failure that another service would not avoid', () =>
    withAccount(
      failing(() => refused(401)),
      async (flow) => {
        assert.equal((await rejection(speakWith(flow))).code, 'unauthorized');
      },
    ));

  it('stops at once when the caller stops, and does not use the fallback', () =>
    withAccount(
      failing(() => new Promise(() => {})),
      async (flow, { requests }) => {
        const controller = new AbortController();
        const work = rejection(speakWith(flow, {}, { signal: controller.signal }));
        await until(() => requests.some(isSpeech));
        controller.abort();
        assert.equal((await work).code, 'aborted');
      },
    ));
});

const accountClient = ({ RED }: Flow, id: string) => accountOf(RED, id).connect(new AbortController().signal);

describe('an account with another account as its fallback', () => {
  const dead = failing(() => refused(503));
  const alive = failing(() => spoken({ seconds: 0.5 }));

  it('speaks with the same voice if the other account has it', () =>
    withServer(alive, ({ url, requests }) =>
      withAccount(
        dead,
        async (flow) => {
          const [piece] = await speakWith(flow, { voice_id: 'bob', language: 'de', text: 'Guten Tag.' });
          assert.equal(piece?.voice.voice_id, 'bob');
          assert.equal(piece.takeover?.account, 'Second');
          assert.equal(requests.filter(isSpeech).length, 1);
          const parts = [{ piece, start: 0, duration: 0.5, repetition: 0 }];
          const facts = { voice: 'bob', language: 'de', charged: 0, fallback: 'Second' };
          assert.deepEqual(spokenFacts(parts, false), facts, 'the record for the sidebar');
        },
        { account: { fallback: 'account:other' }, others: [other(url, { name: 'Second' })] },
      ),
    ));

  it('leaves with the first error and a note on the second, if both fail', () =>
    withServer(
      failing(() => refused(402)),
      ({ url }) =>
        withAccount(
          dead,
          async (flow) => {
            const error = await rejection(speakWith(flow));
            assert.deepEqual([error.code, error.route, error.status], ['service-failed', 'retryable', 503]);
            assert.match(error.message, /\(503\).*; the fallback "Second" failed too: .*\(402\)/);
          },
          { account: { fallback: 'account:other' }, others: [other(url, { name: 'Second' })] },
        ),
    ));

  it('asks each account once if two accounts are the fallback of each other', () =>
    withServer(dead, ({ url, requests: seconds }) =>
      withAccount(
        dead,
        async (flow, { requests: firsts }) => {
          assert.equal((await rejection(speakWith(flow))).code, 'service-failed');
          assert.deepEqual(
            [firsts, seconds].map((seen) => seen.filter(isSpeech).length),
            [1, 1],
          );
          assert.equal((await rejection(speakWith(flow, {}, {}, 'other'))).code, 'service-failed');
          assert.deepEqual(
            [firsts, seconds].map((seen) => seen.filter(isSpeech).length),
            [2, 2],
          );
        },
        { account: { fallback: 'account:other' }, others: [other(url, { fallback: 'account:account' })] },
      ),
    ));

  it('fails as not-configured before any request if it is its own fallback', () =>
    withAccount(
      alive,
      async (flow, { requests }) => {
        const error = await rejection(speakWith(flow));
        assert.equal(error.code, 'not-configured');
        assert.match(error.message, /the fallback is the account itself: select another account, or none/);
        assert.deepEqual(requests, []);
      },
      { account: { fallback: 'account:account' } },
    ));

  it('speaks, and warns once, if the other account is missing', () =>
    withAccount(
      alive,
      async (flow) => {
        await speakWith(flow);
        const [piece] = await speakWith(flow);
        assert.equal(piece?.takeover, undefined);
        const warnings = flow.logged().filter((line) => line.includes('fallback account is missing'));
        assert.equal(warnings.length, 1);
      },
      { account: { fallback: 'account:gone' } },
    ));

  it('speaks although the other account has an invalid setting', () =>
    withAccount(
      alive,
      async (flow) => {
        const [piece] = await speakWith(flow);
        assert.equal(piece?.takeover, undefined);
      },
      {
        account: { fallback: 'account:other' },
        others: [other('nowhere', { fallbackAfter: 'soon', pronunciations: 'none' })],
      },
    ));

  it('does not call a service that failed three times in a row, and logs this once', () =>
    withServer(alive, ({ url }) =>
      withAccount(
        dead,
        async (flow, { requests }) => {
          for (let text = 0; text < 5; text += 1) {
            const [piece] = await speakWith(flow, { text: `Text ${text}.` });
            assert.equal(piece?.takeover?.reason.code, 'service-failed');
          }
          assert.equal(requests.filter(isSpeech).length, 3);
          const lines = flow.logged().filter((line) => line.includes('failed 3 times in a row'));
          assert.equal(lines.length, 1);
        },
        { account: { fallback: 'account:other' }, others: [other(url)] },
      ),
    ));
});

describe('the audio cache of an account with a fallback', () => {
  let folder = '';
  const former = process.env['HERALD_CACHE'];
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-cache-'));
    process.env['HERALD_CACHE'] = folder;
  });
  after(async () => {
    process.env['HERALD_CACHE'] = former;
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps the audio of the fallback apart from the audio of the account', () => {
    let isDead = true;
    const recovering = failing(() => (isDead ? refused(503) : spoken({ seconds: 0.5 })));
    return withServer(
      failing(() => spoken({ seconds: 0.7 })),
      ({ url }) =>
        withAccount(
          recovering,
          async (flow) => {
            const speakOnce = async () => {
              const [piece] = await speakWith(flow, { voice_id: 'amy', language: 'en' });
              return [piece?.duration, piece?.cached, piece?.takeover?.account];
            };
            assert.deepEqual(await speakOnce(), [0.7, false, 'Second']);
            assert.deepEqual(await speakOnce(), [0.7, true, 'Second']);
            isDead = false;
            assert.deepEqual(await speakOnce(), [0.5, false, undefined]);
            assert.deepEqual(await speakOnce(), [0.5, true, undefined]);
          },
          { account: { fallback: 'account:other' }, others: [other(url, { name: 'Second' })] },
        ),
    );
  });
});

describe('the saved fallback', () => {
  const dead = failing(() => refused(503));

  it('is off in an account that was saved without the property', () =>
    withAccount(
      dead,
      async (flow) => {
        const error = await rejection(speakWith(flow));
        assert.equal(error.code, 'service-failed');
        assert.doesNotMatch(error.message, /fallback/);
      },
      { account: { fallback: undefined } },
    ));

  it('names the local service in a new account', () => {
    const { defaults }: { defaults: { fallback: string } } = require('../../../nodes/account.ts');
    assert.equal(defaults.fallback, 'local');
  });

  const invalid: [settings: object, says: RegExp][] = [
    [{ fallback: 'elsewhere' }, /fallback elsewhere: expected none, local, or "account:"/],
    [{ fallbackAfter: '-1' }, /fallbackAfter is "-1": expected a number from 0.001 to 2147483/],
    [{ fallbackAfter: 'soon' }, /fallbackAfter is "soon"/],
  ];
  for (const [settings, says] of invalid) {
    it(`fails each message as not-configured if it is invalid: ${JSON.stringify(settings)}`, () =>
      withAccount(
        dead,
        async (flow, { requests }) => {
          const error: SpeechError = await rejection(speakWith(flow));
          assert.equal(error.code, 'not-configured');
          assert.match(error.message, says);
          assert.deepEqual(requests, []);
        },
        { account: settings },
      ));
  }
});
