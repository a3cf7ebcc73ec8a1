import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient, inspectAudio } from '@herald-speech/client';
import {
  audioOf,
  pauseRun,
  planOf,
  type PlanRequest,
  resumeRun,
  startRun,
  stateOf,
  stopRun,
} from '../../../../nodes/prompts/run/panel.js';
import { KEY } from '../../../support/node-red/flow.js';
import { errorOf } from '../../../support/node-red/messages.js';
import { type PromptsFlow, reportOf, tableOf, withPrompts } from '../../../support/node-red/prompts.js';
import { type Script, spoken } from '../../../support/net/scripted-server.js';
import { until } from '../../../support/waiting.js';

const { signal } = new AbortController();
const speaks: Script = () => spoken({ seconds: 0.5 });

/** Plans the values of a dialog with the account of a flow. */
async function planIn({ flow, server, folder }: PromptsFlow, more: Partial<PlanRequest> = {}) {
  const client = createClient({ url: server.url, apiKey: KEY });
  try {
    const { typed, ...others } = { typed: {}, ...more };
    return await planOf(flow.RED, {
      typed: { folder, ...typed },
      account: 'account',
      node: 'node',
      client,
      defaults: { voice_id: 'voice-1' },
      signal,
      translator: flow.RED,
      ...others,
    });
  } finally {
    await client.close();
  }
}

describe('the prompts node in its dialog', () => {
  it('shows the start of a cell of 49 MB, and its problem', () =>
    withPrompts(speaks, async (prompts) => {
      const rows = [{ text: 'Press one. '.repeat(4_500_000), filename: 'b'.repeat(1_000_000) }];
      const { rows: shown } = await planIn(prompts, { typed: { rows } });
      assert.ok(JSON.stringify(shown).length < 5000, String(JSON.stringify(shown).length));
      assert.deepEqual([shown[0]?.state, shown[0]?.text.slice(0, 10)], ['wrong', 'Press one.']);
      assert.match(shown[0]?.problems.join() ?? '', /more than 65536 bytes: shorten it/);
    }));

  it('plans a CSV file with the typed values, without a paid request', () =>
    withPrompts(speaks, async (prompts) => {
      const csv_file = path.join(prompts.folder, 'table.csv');
      await writeFile(csv_file, 'text,filename\nOne.,a.wav\n,b.wav\nThree.,c.wav\n');
      const plan = await planIn(prompts, { typed: { csv_file } });
      assert.deepEqual(
        plan.rows.map(({ number, filename, state }) => [number, filename, state]),
        [
          [2, 'a.wav', 'new'],
          [3, 'b.wav', 'wrong'],
          [4, 'c.wav', 'new'],
        ],
      );
      assert.deepEqual(plan.counts, { new: 2, changed: 0, unchanged: 0, wrong: 1 });
      assert.match(plan.rows[1]?.problems.join() ?? '', /text/);
      assert.deepEqual(
        [plan.count, plan.folder, plan.rows[0]?.request?.['text']],
        [3, prompts.folder, 'One.'],
      );
      assert.deepEqual([prompts.server.requests.length, await prompts.files()], [0, ['table.csv']]);
    }));

  it('plans the last table of the deployed node, and finds its files unchanged', () =>
    withPrompts(speaks, async (prompts) => {
      await assert.rejects(planIn(prompts), { code: 'bad-request', message: /^no table/ });
      await prompts.run(tableOf('One.', 'Two.'));
      const { counts } = await planIn(prompts);
      assert.deepEqual(counts, { new: 0, changed: 0, unchanged: 2, wrong: 0 });
      const changed = await planIn(prompts, { typed: { silence_after: 1 } });
      assert.equal(changed.counts.changed, 2);
    }));

  it('keeps a file whose row has a voice and a language if only the defaults of the account change', () =>
    withPrompts(speaks, async (prompts) => {
      const rows = [
        { text: 'One.', filename: 'a', voice_id: 'voice-1', language: 'en' },
        { text: 'Two.', filename: 'b' },
      ];
      await prompts.run(rows);
      const { counts } = await planIn(prompts, { defaults: { voice_id: 'voice-2', language: 'en' } });
      assert.deepEqual(counts, { new: 0, changed: 1, unchanged: 1, wrong: 0 });
    }));

  it('shows fewer rows if their texts are long', () =>
    withPrompts(speaks, async (prompts) => {
      const csv_file = path.join(prompts.folder, 'table.csv');
      const lines = Array.from({ length: 60 }, (_, index) => `${'Long text. '.repeat(5000)},${index}`);
      await writeFile(csv_file, ['text,filename', ...lines].join('\n'));
      const { rows, count } = await planIn(prompts, { typed: { csv_file } });
      assert.deepEqual([rows.length, count], [36, 60]);
    }));

  it('runs the last table, also if the node only plans, and shows its state', () =>
    withPrompts(
      speaks,
      async ({ flow, folder, files }) => {
        assert.throws(() => startRun(flow.RED, 'node'), { code: 'bad-request' });
        assert.throws(() => startRun(flow.RED, 'none'), { code: 'not-configured' });
        assert.equal(stateOf(flow.RED, 'none'), undefined);
        flow.send('node', { payload: tableOf('One.', 'Two.') });
        assert.equal(reportOf(await flow.out('done')).action, 'plan');
        startRun(flow.RED, 'node');
        assert.equal(reportOf(await flow.out('done')).made, 2);
        assert.deepEqual(await files(), ['a.wav', 'b.wav']);
        const state = stateOf(flow.RED, 'node');
        assert.deepEqual([state?.phase, state?.report?.made, state?.error], ['idle', 2, undefined]);
        const { data, mime } = await audioOf(flow.RED, folder, 'a.wav', signal);
        assert.deepEqual([inspectAudio(data).duration, mime], [0.5, 'audio/wav']);
      },
      { node: { action: 'plan' } },
    ));

  it('pauses, resumes and stops the run', () => {
    const waiting: (() => void)[] = [];
    const script: Script = () => new Promise((resolve) => waiting.push(() => resolve(spoken())));
    return withPrompts(
      script,
      async ({ flow }) => {
        flow.send('node', { payload: tableOf('One.', 'Two.', 'Three.') });
        await until(() => waiting.length === 1);
        assert.throws(() => startRun(flow.RED, 'node'), { code: 'busy' });
        pauseRun(flow.RED, 'node');
        await until(() => stateOf(flow.RED, 'node')?.phase === 'paused');
        resumeRun(flow.RED, 'node');
        await until(() => stateOf(flow.RED, 'node')?.phase === 'running');
        waiting.shift()?.();
        await until(() => stateOf(flow.RED, 'node')?.done === 1);
        stopRun(flow.RED, 'node');
        assert.equal(errorOf(await flow.out('fatal')).code, 'aborted');
        assert.match(stateOf(flow.RED, 'node')?.error ?? '', /msg\.reset/);
      },
      { node: { parallel: '1' } },
    );
  });

  it('reads only files that a run has made, and makes raw audio playable', () =>
    withPrompts(
      speaks,
      async ({ flow, run, folder }) => {
        await run([{ text: 'One.', filename: 'one' }]);
        await writeFile(path.join(folder, 'secret.wav'), 'secret');
        const { data, mime } = await audioOf(flow.RED, folder, 'one.sln16', signal);
        assert.deepEqual([inspectAudio(data).duration, mime], [0.5, 'audio/wav']);
        assert.equal((await readFile(path.join(folder, 'one.sln16'))).length, 16_000);
        for (const name of ['secret.wav', '../x.wav'])
          await assert.rejects(audioOf(flow.RED, folder, name, signal), { code: 'not-found' });
      },
      { node: { output_format: 'asterisk-sln16' } },
    ));
});
