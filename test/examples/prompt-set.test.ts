import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import { shareLocalService } from '../support/service/local-service.js';
import { errorOf } from '../support/node-red/messages.js';
import { withExample } from './example.js';

const report = z.object({
  payload: z.object({ action: z.string(), made: z.number(), unchanged: z.number(), rows: z.number() }),
  prompts: z.object({ plan: z.array(z.object({ filename: z.string(), state: z.string() })).optional() }),
});

describe('example prompt-set with the local service', () => {
  shareLocalService();
  let home = '';
  beforeEach(async () => (home = await mkdtemp(path.join(os.tmpdir(), 'herald-prompt-set-'))));
  afterEach(() => rm(home, { recursive: true, force: true }));

  /** Runs the example unchanged. Its folder is relative. */
  const run = (work: Parameters<typeof withExample>[1]) =>
    withExample('prompt-set', work, { settings: { fileWorkingDirectory: home } });

  it('makes an 8 kHz WAV for each correct row, a page for the printer, and no file at the second press', () =>
    run(async (flow) => {
      flow.press('prompt-set-make');
      const { payload } = report.parse(await flow.first('prompt-set-report'));
      assert.deepEqual([payload.made, payload.unchanged, payload.rows], [5, 0, 6]);
      const folder = path.join(home, 'herald-prompts');
      const names = await readdir(folder, { recursive: true });
      const files = names.filter((name) => name.endsWith('.wav'));
      assert.equal(files.length, 5);
      for (const file of files)
        assert.equal(inspectAudio(await readFile(path.join(folder, file))).sampleRate, 8000);
      assert.match(await readFile(path.join(folder, 'index.html'), 'utf8'), /Welcome to the Acme hotline\./);
      flow.press('prompt-set-make');
      const [, second] = await flow.at('prompt-set-report', 2);
      assert.deepEqual(report.parse(second).payload, { ...payload, made: 0, unchanged: 5 });
    }));

  it('sends the wrong row to the debug node of failed rows', () =>
    run(async (flow) => {
      flow.press('prompt-set-make');
      const failed = await flow.first('prompt-set-failed');
      assert.equal(errorOf(failed).code, 'bad-request');
      assert.match(JSON.stringify(failed.payload), /empty\.wav/);
    }));

  it('plans without a file when the second button is pressed', () =>
    run(async (flow) => {
      flow.press('prompt-set-plan');
      const { payload, prompts } = report.parse(await flow.first('prompt-set-report'));
      assert.deepEqual([payload.action, payload.made], ['plan', 0]);
      assert.equal(prompts.plan?.filter(({ state }) => state === 'new').length, 5);
      assert.deepEqual(await readdir(home), []);
    }));
});
