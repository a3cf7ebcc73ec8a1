import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SpeechError } from '@herald-speech/client';
import { type Flow, hostedAccount, KEY, localAccount, withFlow } from '../../support/node-red/flow.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { recordedWarnings, spokenFacts } from '../../../nodes/lib/announcement-facts.js';
import { rejection } from '../../support/rejection.js';
import {
  refused,
  type Script,
  type ScriptedServer,
  spoken,
  withServer,
} from '../../support/net/scripted-server.js';
import { describing, isSpeech, LONG_TEXT, speakWith } from './spoken.js';
import { until } from '../../support/waiting.js';

const credentials = { account: { apiKey: KEY } };

/** Predicts two seconds per request. Replies with one second of audio, and charges it. */
const service: Script = describing([], ({ path: address }) =>
  address.startsWith('/v1/predict-duration/')
    ? { body: { duration: 2 } }
    : { ...spoken({ seconds: 1 }), headers: { 'content-type': 'audio/wav', 'x-audio-length': '1' } },
);

const withBudget = (
  account: object,
  work: (flow: Flow, server: ScriptedServer) => Promise<void>,
  script = service,
) =>
  withServer(script, (server) =>
    withFlow([hostedAccount(server.url, { attempts: '1', ...account })], (flow) => work(flow, server), {
      credentials,
    }),
  );

const paid = ({ requests }: ScriptedServer) => requests.filter(isSpeech).length;

describe('the budget of an account', () => {
  const folder = useDataFolder();
  const fileOf = () => path.join(folder(), 'budget', 'account.json');
  beforeEach(() => writeFile(fileOf(), '{}').catch(() => undefined));

  it('refuses a text before anything is paid, with the figures', () =>
    withBudget({ budgetPerMessage: '5' }, async (flow, server) => {
      const error = await rejection(speakWith(flow, { text: LONG_TEXT, language: 'en' }));
      assert.deepEqual([error.code, error.route], ['over-budget', 'out-of-credits']);
      assert.deepEqual([error.budget?.per, error.budget?.limit, error.budget?.needed], ['message', 5, 8]);
      assert.equal(paid(server), 0);
    }));

  it('counts the charged seconds in place of the predicted ones', () =>
    withBudget({ budgetPerDay: '4' }, async (flow, server) => {
      for (let text = 0; text < 3; text += 1) await speakWith(flow);
      const { budget } = await rejection(speakWith(flow));
      assert.deepEqual([budget?.used, budget?.needed, budget?.limit], [3, 2, 4]);
      assert.equal(paid(server), 3);
    }));

  it('limits the calendar month as well, until its end', () =>
    withBudget({ budgetPerMonth: '4' }, async (flow, server) => {
      for (let text = 0; text < 3; text += 1) await speakWith(flow);
      const { budget } = await rejection(speakWith(flow));
      assert.deepEqual([budget?.per, budget?.used, budget?.limit], ['month', 3, 4]);
      const resets = new Date(budget?.resets ?? '');
      assert.deepEqual([resets.getDate(), resets.getHours()], [1, 0]);
      assert.equal(paid(server), 3);
    }));

  it('is not exceeded by ten messages at once', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    // No request is charged before five messages were refused.
    const slow: Script = async (request, index) => {
      if (isSpeech(request)) await gate;
      return service(request, index);
    };
    await withBudget(
      { budgetPerDay: '10' },
      async (flow, server) => {
        const refusals: string[] = [];
        const work = Array.from({ length: 10 }, () =>
          speakWith(flow).catch((error: SpeechError) => void refusals.push(error.code)),
        );
        await until(() => refusals.length === 5);
        open();
        await Promise.all(work);
        assert.deepEqual([...new Set(refusals)], ['over-budget']);
        assert.equal(paid(server), 5);
      },
      slow,
    );
  });

  it('stays after a restart of Node-RED', async () => {
    const limited = { budgetPerDay: '3' };
    await withBudget(limited, async (flow) => {
      await speakWith(flow);
      await speakWith(flow);
    });
    await withBudget(limited, async (flow, server) => {
      assert.equal((await rejection(speakWith(flow))).budget?.used, 2);
      assert.equal(paid(server), 0);
    });
  });

  it('releases the seconds of a request that the service refused', () =>
    withBudget(
      { budgetPerDay: '3' },
      async (flow) => {
        for (let text = 0; text < 3; text += 1)
          assert.equal((await rejection(speakWith(flow))).code, 'forbidden');
      },
      describing([], ({ path: address }) =>
        address.startsWith('/v1/predict-duration/') ? { body: { duration: 2 } } : refused(403),
      ),
    ));

  it('keeps the predicted seconds of a request with an unknown outcome', () =>
    withBudget(
      { budgetPerDay: '3' },
      async (flow) => {
        assert.equal((await rejection(speakWith(flow))).code, 'service-failed');
        assert.equal((await rejection(speakWith(flow))).budget?.used, 2);
      },
      describing([], ({ path: address }) =>
        address.startsWith('/v1/predict-duration/') ? { body: { duration: 2 } } : refused(500),
      ),
    ));

  it('is in credits if the account has a price', () =>
    withBudget({ budgetUnit: 'credits', budgetPerDay: '15', creditsPerSecond: '5' }, async (flow) => {
      await speakWith(flow);
      await speakWith(flow);
      const { budget } = await rejection(speakWith(flow));
      assert.deepEqual([budget?.unit, budget?.used, budget?.needed], ['credits', 10, 10]);
    }));

  it('counts a damaged file as an unused budget, and logs it', async () => {
    await writeFile(fileOf(), '{"2026');
    await withBudget({ budgetPerDay: '3' }, async (flow) => {
      await speakWith(flow);
      assert.equal(
        flow.logged().filter((line) => line.includes('the file of the budget is damaged')).length,
        1,
      );
    });
    const saved: unknown = JSON.parse(await readFile(fileOf(), 'utf8'));
    assert.deepEqual(Object.values(Object(saved)), [1]);
  });

  it('sends no prediction without limits', () =>
    withBudget({}, async (flow, { requests }) => {
      await speakWith(flow);
      assert.equal(requests.filter(({ path: address }) => address.includes('predict')).length, 0);
    }));

  it('does not apply to an account of the local service, whose dialog hides it', () => {
    const account = localAccount({ budgetPerDay: '0' });
    return withFlow([account], async (flow) => {
      const node: unknown = flow.RED.nodes.getNode('account');
      assert.ok(typeof node === 'object' && node !== null && 'budgetUse' in node);
      assert.ok(typeof node.budgetUse === 'function');
      assert.equal(await node.budgetUse(), undefined);
    });
  });

  const invalid: [settings: object, says: RegExp][] = [
    [{ budgetPerDay: '-1' }, /budgetPerDay is "-1": expected a number of at least 0/],
    [{ budgetPerMonth: '-1' }, /budgetPerMonth is "-1": expected a number of at least 0/],
    [{ budgetPerMessage: 'much' }, /budgetPerMessage is "much"/],
    [
      { budgetPerDay: '1', budgetUnit: 'minutes' },
      /budgetUnit is "minutes": expected one of "seconds"\|"credits"/,
    ],
    [{ budgetPerDay: '1', budgetUnit: 'credits' }, /creditsPerSecond.*expected the price of a second/],
  ];
  for (const [settings, says] of invalid) {
    it(`fails each message as not-configured if it is invalid: ${JSON.stringify(settings)}`, () =>
      withBudget(settings, async (flow, { requests }) => {
        const error = await rejection(speakWith(flow));
        assert.equal(error.code, 'not-configured');
        assert.match(error.message, says);
        assert.deepEqual(requests, []);
      }));
  }
});

describe('an account with a budget and a fallback', () => {
  useDataFolder();

  it('speaks with the fallback above the budget', () =>
    withBudget({ budgetPerMessage: '1', fallback: 'local', voice_id: '' }, async (flow, server) => {
      const [piece] = await speakWith(flow, { language: 'en', voice_id: 'amy' });
      assert.equal(piece?.takeover?.reason.code, 'over-budget');
      assert.equal(piece.takeover.reason.budget?.limit, 1);
      assert.equal(paid(server), 0);
      const parts = [{ piece, start: 0, duration: piece.duration, repetition: 0 }];
      const { fallback, isOverBudget } = spokenFacts(parts, false);
      assert.deepEqual([fallback, isOverBudget], ['local', true], 'the record for the sidebar');
      const [warning] = recordedWarnings(parts, []);
      assert.match(warning?.english ?? '', /^budget per message: this text needs 2 seconds, the limit is 1/);
    }));
});
