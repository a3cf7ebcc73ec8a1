import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { speechNode } from '../../../support/node-red/flow.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { errorOf, statusTexts } from '../../../support/node-red/messages.js';
import { filesIn, reportOf, tableOf, withPrompts } from '../../../support/node-red/prompts.js';
import { refused, type Script, type Scripted, spoken } from '../../../support/net/scripted-server.js';
import { until } from '../../../support/waiting.js';

/** A service that answers when the test permits it. */
function gated() {
  const waiting: (() => void)[] = [];
  const script: Script = () => new Promise<Scripted>((resolve) => waiting.push(() => resolve(spoken())));
  return {
    script,
    /** Resolves when `count` requests wait, and answers them. */
    async answer(count: number) {
      await until(() => waiting.length >= count);
      for (const go of waiting.splice(0)) go();
    },
    waiting,
  };
}

const one = { parallel: '1' };

describe('the control of a run of prompts', () => {
  const data = useDataFolder();

  it('makes as many files at a time as the user wants', () => {
    const service = gated();
    const rows = Array.from({ length: 32 }, (_, row) => ({ text: `Prompt ${row}.`, filename: `${row}` }));
    return withPrompts(
      service.script,
      async ({ flow }) => {
        flow.send('node', { payload: rows });
        await service.answer(32);
        assert.equal(reportOf(await flow.out('done')).made, 32);
      },
      { node: { parallel: '32' } },
    );
  });

  it('starts no row while it is paused, and continues after msg.resume', () => {
    const service = gated();
    return withPrompts(
      service.script,
      async ({ flow, server, files }) => {
        flow.send('node', { payload: tableOf('One.', 'Two.') });
        await until(() => service.waiting.length === 1);
        flow.send('node', { pause: true });
        await until(() => statusTexts(flow.received('status-of')).includes('Paused 0/2'));
        await service.answer(1);
        await until(() => statusTexts(flow.received('status-of')).includes('Paused 1/2'));
        await sleep(50);
        assert.deepEqual([server.requests.length, await files()], [1, ['a.wav']]);
        flow.send('node', { resume: true });
        await service.answer(1);
        assert.equal(reportOf(await flow.out('done')).made, 2);
        assert.equal(flow.received('done').length, 1);
      },
      { node: one },
    );
  });

  it('stops after msg.reset: the message leaves on fatal with the report so far, and finished files stay', () => {
    const service = gated();
    return withPrompts(
      service.script,
      async ({ flow, server, files }) => {
        flow.send('node', { payload: tableOf('One.', 'Two.', 'Three.') });
        await service.answer(1);
        await until(() => service.waiting.length === 1);
        flow.send('node', { reset: true });
        const message = await flow.out('fatal');
        assert.equal(errorOf(message).code, 'aborted');
        assert.match(JSON.stringify(message['prompts']), /"made":1/);
        assert.deepEqual(await files(), ['a.wav']);
        assert.deepEqual([server.requests.length, flow.received('fatal').length], [2, 1]);
      },
      { node: one },
    );
  });

  it('can be stopped while it is paused', () => {
    const service = gated();
    return withPrompts(
      service.script,
      async ({ flow }) => {
        flow.send('node', { payload: tableOf('One.', 'Two.') });
        await until(() => service.waiting.length === 1);
        flow.send('node', { pause: true });
        await service.answer(1);
        flow.send('node', { reset: true });
        assert.equal(errorOf(await flow.out('fatal')).code, 'aborted');
      },
      { node: one },
    );
  });

  it('waits for the rate limit longer than the time limit of a request, and then goes on', () => {
    const script: Script = (_request, index) =>
      index === 0 ? refused(429, { 'retry-after': '2' }) : spoken();
    return withPrompts(
      script,
      async ({ run, server }) => {
        const report = await run(tableOf('One.', 'Two.'));
        assert.deepEqual([report.made, report.failed], [2, []]);
        assert.equal(server.requests.length, 3);
      },
      { account: { totalTimeout: '1', attempts: '1' }, node: one },
    );
  });

  it('ends early if many rows in a row fail, and sends the others back in one message', () =>
    withPrompts(
      () => refused(503),
      async ({ flow, run, server }) => {
        const texts = Array.from({ length: 40 }, (_, index) => `Prompt ${index}.`);
        const rows = texts.map((text, index) => ({ text, filename: `${index}.wav` }));
        const report = await run(rows);
        assert.deepEqual([report.made, report.failed.length, server.requests.length], [0, 40, 20]);
        await until(() => flow.received('retryable').length === 21);
        const last = flow.received('retryable').at(-1);
        assert.equal(Array.isArray(last?.payload) && last.payload.length, 20);
        assert.match(errorOf(last ?? {}).message, /20 rows in a row/);
      },
      { account: { attempts: '1' }, node: one },
    ));

  it('continues an interrupted run after a restart if selected, and pays for no finished file again', () => {
    const service = gated();
    const resuming = { ...one, resume: 'true', resumeType: 'bool' };
    return withPrompts(
      service.script,
      async ({ flow, server, folder }) => {
        const node = (more: object) => speechNode('prompts', { folder, ...resuming, ...more });
        flow.send('node', { payload: tableOf('One.', 'Two.', 'Three.'), voice_id: 'voice-9', topic: 'set' });
        await service.answer(1);
        await until(() => service.waiting.length === 1);
        const saved = await readFile(path.join(data(), 'prompts/node.json'), 'utf8');
        assert.match(saved, /"voice-9"/);
        // The request of the stopped row.
        service.waiting.splice(0);
        await flow.deploy([accountIn(server.url), node({ name: 'again' })]);
        await service.answer(1);
        await service.answer(1);
        const message = await flow.out('done');
        const { made, unchanged, rows } = reportOf(message);
        assert.deepEqual([made, unchanged, rows, message.topic], [2, 1, 3, 'set']);
        assert.deepEqual(await filesIn(folder), ['a.wav', 'b.wav', 'c.wav']);
        assert.deepEqual(await filesIn(path.join(data(), 'prompts')), []);
      },
      { node: resuming },
    );
  });

  it('does not continue an interrupted run unless selected', () => {
    const service = gated();
    return withPrompts(
      service.script,
      async ({ flow, server, folder }) => {
        flow.send('node', { payload: tableOf('One.', 'Two.') });
        await service.answer(1);
        await until(() => service.waiting.length === 1);
        await flow.deploy([accountIn(server.url), speechNode('prompts', { folder, ...one, name: 'again' })]);
        await sleep(200);
        assert.equal(server.requests.length, 2);
      },
      { node: one },
    );
  });
});

const accountIn = (url: string) => ({
  id: 'account',
  type: 'herald-account',
  service: 'hosted',
  url,
  requestsPerMinute: '10000',
  voice_id: 'voice-1',
});
