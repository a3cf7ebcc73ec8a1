import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectAudio } from '@herald-speech/client';
import { localAccount, speechNode, withFlow } from '../../../support/node-red/flow.js';
import { shareLocalService } from '../../../support/service/local-service.js';
import { caughtError, errorOf } from '../../../support/node-red/messages.js';
import { filesIn, inFolder, reportOf, tableOf, withPrompts } from '../../../support/node-red/prompts.js';
import { refused, type Script, spoken } from '../../../support/net/scripted-server.js';
import { until } from '../../../support/waiting.js';

const speaks: Script = () => spoken();

describe('the failures of a run of prompts', () => {
  it('go to Catch nodes if the output has no wire, one for each row', () =>
    withPrompts(
      speaks,
      async ({ flow, run }) => {
        await run(tableOf('One.', '', ''));
        const [first, second] = [await flow.out('caught'), await flow.out('caught')];
        assert.deepEqual(
          [first.payload, second.payload],
          [tableOf('', '', '').slice(1, 2), tableOf('', '', '').slice(2)],
        );
        assert.equal(caughtError(first).code, 'bad-request');
      },
      { node: { wires: [['done'], [], [], []] } },
    ));

  it('do not spin if a wrong row is wired back to the node', () =>
    withPrompts(
      speaks,
      async ({ flow }) => {
        flow.send('node', { payload: [{ text: '', filename: 'a.wav' }] });
        await flow.out('done');
        await sleep(300);
        assert.ok(flow.received('done').length <= 2, String(flow.received('done').length));
      },
      { node: { wires: [['done'], [], ['node'], []] } },
    ));

  it('leave without the other rows of the table', () =>
    withPrompts(
      speaks,
      async ({ flow }) => {
        flow.send('node', { payload: 'other', topic: 'set', set: { table: tableOf('One.', '') } });
        const { set, topic, payload } = await flow.out('fatal');
        assert.deepEqual([set, topic, payload], [undefined, 'set', tableOf('', '').slice(1)]);
        flow.send('node', { payload: 'other', set: { table: tableOf('One.') } });
        assert.equal(reportOf(await flow.out('done')).made, 1);
      },
      { node: { rows: 'set.table', rowsType: 'msg' } },
    ));

  it('name each wrong row without a request if no row is correct', () =>
    withPrompts(speaks, async ({ flow, run, server }) => {
      const report = await run(tableOf('', ''));
      assert.deepEqual([report.made, report.wrong.length, server.requests.length], [0, 2, 0]);
      await until(() => flow.received('fatal').length === 2);
    }));

  it('end the run if the key is wrong, with one message for all rows', () =>
    withPrompts(
      () => refused(401),
      async ({ flow, run, server }) => {
        const report = await run(tableOf('One.', 'Two.', 'Three.'));
        assert.deepEqual([report.failed.length, server.requests.length], [3, 1]);
        const message = await flow.out('fatal');
        assert.equal(errorOf(message).code, 'unauthorized');
        assert.deepEqual(message.payload, tableOf('One.', 'Two.', 'Three.'));
      },
      { node: { parallel: '1' } },
    ));

  it('end the run if its folder is removed, with the name of the folder', () =>
    inFolder((place) => {
      const folder = path.join(place, 'out');
      const removing: Script = async ({ json }) => {
        if (json['text'] === 'Two.') await rm(folder, { recursive: true });
        return spoken();
      };
      return withPrompts(
        removing,
        async ({ flow, run, server }) => {
          const report = await run(tableOf('One.', 'Two.', 'Three.'));
          assert.deepEqual([report.made, report.failed.length, server.requests.length], [1, 2, 2]);
          const message = await flow.out('fatal');
          const { code, message: reason } = errorOf(message);
          assert.equal(code, 'bad-request');
          assert.ok(reason.includes(`folder ${JSON.stringify(folder)}: it was removed`), reason);
          assert.deepEqual(message.payload, tableOf('One.', 'Two.', 'Three.').slice(1));
        },
        { node: { folder, parallel: '1' } },
      );
    }));

  it('affect only a row whose path is a folder', () =>
    withPrompts(speaks, async ({ run, files, folder }) => {
      await mkdir(path.join(folder, 'a.wav'));
      const report = await run(tableOf('One.', 'Two.'));
      assert.deepEqual([report.wrong.map(({ filename }) => filename), await files()], [['a.wav'], ['b.wav']]);
    }));

  it('refuse a second run in the folder, and name the first one', () => {
    const waiting: (() => void)[] = [];
    const script: Script = () => new Promise((resolve) => waiting.push(() => resolve(spoken())));
    return inFolder((folder) =>
      withPrompts(
        script,
        async ({ flow }) => {
          flow.send('node', { payload: tableOf('One.') });
          await until(() => waiting.length === 1);
          flow.send('other', { payload: tableOf('One.') });
          const { code, message } = errorOf(await flow.out('refused'));
          assert.equal(code, 'busy');
          assert.match(message, new RegExp(`process ${process.pid}`));
          waiting.shift()?.();
          assert.equal(reportOf(await flow.out('done')).made, 1);
        },
        {
          node: { folder },
          more: [speechNode('prompts', { id: 'other', folder, wires: [[], ['refused'], [], []] })],
        },
      ),
    );
  });

  it('can be sent back in, also if a row lacks a column that its text refers to', () =>
    withPrompts(
      ({ json }, index) => (index === 0 && json['text'] === 'Hello.' ? refused(503) : spoken()),
      async ({ flow, run, server }) => {
        const text = 'Hello{{#name}}, {{name}}{{/name}}.';
        await run([
          { text, filename: 'a' },
          { text, filename: 'b', name: 'Ann' },
        ]);
        flow.send('node', await flow.out('retryable'));
        assert.equal(reportOf(await flow.out('done')).made, 1);
        const texts = server.requests.map(({ json }) => json['text']);
        assert.deepEqual(texts, ['Hello.', 'Hello, Ann.', 'Hello.']);
      },
      { account: { attempts: '1' }, node: { parallel: '1' } },
    ));

  it('end the run if another run has taken the folder, and leave its files alone', () => {
    const waiting: (() => void)[] = [];
    const script: Script = () => new Promise((resolve) => waiting.push(() => resolve(spoken())));
    return withPrompts(
      script,
      async ({ flow, folder }) => {
        flow.send('node', { payload: tableOf('One.', 'Two.', 'Three.') });
        await until(() => waiting.length === 1);
        // After 5 minutes of sleep, another machine removes the lock.
        for (const name of await readdir(folder)) await rm(path.join(folder, name));
        waiting[0]?.();
        const { made, failed } = reportOf(await flow.out('done'));
        assert.deepEqual([made, failed.map(({ code }) => code)], [0, ['busy', 'busy', 'busy']]);
        assert.deepEqual(await readdir(folder), []);
      },
      { node: { parallel: '1', index_csv: 'true', index_csvType: 'bool' } },
    );
  });

  it('replace a file of another program only with a new file that is complete', () =>
    withPrompts(
      () => refused(503),
      async ({ run, folder }) => {
        await writeFile(path.join(folder, 'a.wav'), 'precious');
        await run(tableOf('One.'));
        assert.equal(await readFile(path.join(folder, 'a.wav'), 'utf8'), 'precious');
      },
      { account: { attempts: '1' } },
    ));
});

describe('prompts with the local service', () => {
  shareLocalService();

  it('makes files in the format of a telephone system', () =>
    inFolder((folder) => {
      const node = speechNode('prompts', { folder, output_format: 'asterisk-wav', loudness: '-18' });
      return withFlow([localAccount(), node], async (flow) => {
        flow.send('node', { payload: 'text;filename;name\nWelcome to {{name}}.;welcome;Acme\n' });
        const { made, chargedSeconds } = reportOf(await flow.out('done'));
        assert.deepEqual([made, await filesIn(folder)], [1, ['welcome.wav']]);
        assert.ok((chargedSeconds ?? 0) > 0.5);
        assert.ok(inspectAudio(await readFile(path.join(folder, 'welcome.wav'))).duration > 0.5);
      });
    }));
});
