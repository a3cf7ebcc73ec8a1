import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectAudio } from '@herald-speech/client';
import { errorOf, statusTexts } from '../support/node-red/messages.js';
import { reportOf, tableOf, withPrompts } from '../support/node-red/prompts.js';
import { refused, type Script, spoken } from '../support/net/scripted-server.js';
import { until } from '../support/waiting.js';

const speaks: Script = () => {
  const { headers, body } = spoken({ seconds: 0.5 });
  return { headers: { ...headers, 'x-audio-length': '0.5' }, body };
};
const textOf = (json: Record<string, unknown>): string => String(json['text']);

describe('prompts', () => {
  it('makes a file for each row, also in new folders, and reports them', () =>
    withPrompts(speaks, async ({ run, files, folder, server }) => {
      const report = await run([
        { text: 'Welcome.', filename: 'welcome.wav' },
        { Text: 'Press 1.', 'File Name': 'menu/main' },
      ]);
      assert.deepEqual(await files(), ['menu/main.wav', 'welcome.wav']);
      assert.equal(inspectAudio(await readFile(path.join(folder, 'menu/main.wav'))).duration, 0.5);
      assert.equal(server.requests.length, 2);
      const { action, rows, made, cached, unchanged, seconds } = report;
      assert.deepEqual(
        { action, rows, made, cached, unchanged, seconds },
        { action: 'run', rows: 2, made: 2, cached: 0, unchanged: 0, seconds: 1 },
      );
    }));

  it('sends no request in a second run, and makes only the changed row in a third one', () =>
    withPrompts(speaks, async ({ run, server }) => {
      await run(tableOf('One.', 'Two.', 'Three.'));
      const second = await run(tableOf('One.', 'Two.', 'Three.'));
      assert.deepEqual([second.made, second.unchanged, server.requests.length], [0, 3, 3]);
      const third = await run(tableOf('One.', 'Two, changed.', 'Three.'));
      assert.deepEqual([third.made, third.unchanged], [1, 2]);
      assert.equal(textOf(server.requests.at(-1)?.json ?? {}), 'Two, changed.');
    }));

  it('makes all files again if a setting of the node changes their sound', () =>
    withPrompts(speaks, async ({ run, server }) => {
      await run(tableOf('One.', 'Two.'));
      const report = await run(tableOf('One.', 'Two.'), { silence_after: 1 });
      assert.deepEqual([report.made, report.seconds, server.requests.length], [2, 3, 4]);
    }));

  it('writes the format of the node or of the row', () =>
    withPrompts(
      speaks,
      async ({ run, files, folder }) => {
        await run([
          { text: 'One.', filename: 'one' },
          { text: 'Two.', filename: 'two', format: 'asterisk-wav' },
        ]);
        assert.deepEqual(await files(), ['one.ulaw', 'two.wav']);
        assert.equal((await readFile(path.join(folder, 'one.ulaw'))).length, 4000);
      },
      { node: { output_format: 'asterisk-ulaw' } },
    ));

  it('only plans the table if the action is to plan', () =>
    withPrompts(speaks, async ({ flow, files, server, folder }) => {
      flow.send('node', { payload: tableOf('One.', 'Two.'), action: 'plan' });
      const message = await flow.out('done');
      assert.deepEqual([await files(), server.requests.length], [[], 0]);
      assert.equal(reportOf(message).action, 'plan');
      const prompts = JSON.stringify(message['prompts']);
      assert.match(prompts, /"filename":"a\.wav","text":"One\.","state":"new"/);
      assert.match(prompts, new RegExp(JSON.stringify(folder)));
    }));

  it('sends a wrong row to fatal and makes the others', () =>
    withPrompts(speaks, async ({ flow, run, files }) => {
      const report = await run([...tableOf('One.', ''), { text: 'Three.', filename: '../three.wav' }]);
      assert.deepEqual(await files(), ['a.wav']);
      assert.deepEqual(
        report.wrong.map(({ row, filename }) => [row, filename]),
        [
          [2, 'b.wav'],
          [3, '../three.wav'],
        ],
      );
      const wrong = await flow.out('fatal');
      assert.deepEqual(wrong.payload, [{ text: '', filename: 'b.wav' }]);
      assert.equal(errorOf(wrong).code, 'bad-request');
    }));

  it('checks each voice once, and sends the rows of an unknown voice to fatal before it pays for a row', () => {
    const script: Script = ({ path: address }) => {
      if (address.endsWith('/nobody')) return refused(404);
      return address.startsWith('/v1/voices/') ? { body: { voice_id: 'voice-1' } } : spoken();
    };
    return withPrompts(
      script,
      async ({ flow, run, server, files }) => {
        const rows = tableOf('One.', 'Two.', 'Three.').map((row, index) =>
          index < 2 ? { ...row, voice_id: 'nobody' } : row,
        );
        const report = await run(rows);
        assert.deepEqual(await files(), ['c.wav']);
        assert.deepEqual([report.made, report.wrong.length], [1, 2]);
        assert.match(errorOf(await flow.out('fatal')).message, /nobody/);
        const lookups = server.requests.map(({ method, path: address }) => `${method} ${address}`);
        // Preset and custom voices, for the choice of the voice and for the check: not for each row.
        assert.equal(lookups.filter((line) => line.endsWith('/nobody')).length, 4);
        assert.deepEqual(
          lookups.filter((line) => line.startsWith('POST')),
          lookups.slice(-1),
        );
      },
      { describesVoices: true },
    );
  });

  it('sends a failed row to its output, and makes just this row if it is sent back in', () => {
    let isDown = true;
    const script: Script = ({ json }) => (isDown && textOf(json) === 'Two.' ? refused(503) : spoken());
    return withPrompts(
      script,
      async ({ flow, run, files, server }) => {
        const report = await run(tableOf('One.', 'Two.', 'Three.'));
        assert.deepEqual(
          report.failed.map(({ row, filename, code }) => [row, filename, code]),
          [[2, 'b.wav', 'service-failed']],
        );
        const failed = await flow.out('retryable');
        assert.deepEqual(failed.payload, [{ text: 'Two.', filename: 'b.wav' }]);
        isDown = false;
        flow.send('node', failed);
        const { made, rows, gone } = reportOf(await flow.out('done'));
        assert.deepEqual([made, rows, gone], [1, 1, []]);
        assert.deepEqual(await files(), ['a.wav', 'b.wav', 'c.wav']);
        assert.equal(server.requests.length, 4);
      },
      { account: { attempts: '1' } },
    );
  });

  it('deletes no file of another row if a failed row comes back without msg.prompts', () => {
    let isDown = true;
    const script: Script = ({ json }) => (isDown && textOf(json) === 'Two.' ? refused(503) : spoken());
    return withPrompts(
      script,
      async ({ flow, run, files }) => {
        await run(tableOf('One.', 'Two.', 'Three.'));
        const { payload, error } = await flow.out('retryable');
        isDown = false;
        flow.send('node', { payload, error });
        assert.deepEqual(reportOf(await flow.out('done')).deleted, []);
        assert.deepEqual(await files(), ['a.wav', 'b.wav', 'c.wav']);
      },
      { account: { attempts: '1' }, node: { gone: 'delete' } },
    );
  });

  it('ends the run when the credits are used up, and sends the remaining rows in one message', () => {
    const script: Script = (_request, index) => (index < 3 ? spoken() : refused(402));
    return withPrompts(
      script,
      async ({ flow, run, server }) => {
        const texts = Array.from({ length: 20 }, (_, index) => `Prompt ${index}.`);
        const report = await run(tableOf(...texts));
        assert.deepEqual([report.made, report.failed.length], [3, 17]);
        const message = await flow.out('no-credits');
        assert.equal(Array.isArray(message.payload) && message.payload.length, 17);
        assert.equal(errorOf(message).code, 'out-of-credits');
        assert.equal(flow.received('no-credits').length, 1);
        assert.ok(server.requests.length < 8);
      },
      { node: { parallel: '1' } },
    );
  });

  for (const limit of ['Day', 'Month'])
    it(`refuses a table that exceeds the budget per ${limit} before the first request`, () =>
      withPrompts(
        speaks,
        async ({ flow, server }) => {
          flow.send('node', { payload: tableOf('A long text '.repeat(50)) });
          const message = await flow.out('no-credits');
          assert.match(errorOf(message).message, /need about [\d.]+ seconds, but 1 seconds/);
          assert.equal(server.requests.length, 0);
        },
        { account: { budgetPerDay: '100', [`budgetPer${limit}`]: '1' } },
      ));

  it('sends a message for each file if selected', () =>
    withPrompts(
      speaks,
      async ({ flow, folder }) => {
        flow.send('node', { payload: tableOf('One.', 'Two.'), topic: 'set' });
        const first = await flow.out('done');
        assert.equal(first.payload, path.join(folder, 'a.wav'));
        assert.deepEqual(
          [first['prompts'], first.topic],
          [
            {
              row: 1,
              filename: 'a.wav',
              seconds: 0.5,
              cached: false,
              charged: 0.5,
              done: 1,
              count: 2,
            },
            'set',
          ],
        );
        await flow.out('done');
        assert.equal(reportOf(await flow.out('done')).made, 2);
      },
      { node: { parallel: '1', each_file: 'true', each_fileType: 'bool' } },
    ));

  it('lists the files of removed rows, and deletes them only by choice', () =>
    withPrompts(speaks, async ({ run, files }) => {
      await run(tableOf('One.', 'Two.'));
      assert.deepEqual((await run(tableOf('One.'))).gone, ['b.wav']);
      assert.deepEqual(await files(), ['a.wav', 'b.wav']);
      const wrong = await run([...tableOf('One.'), { text: 'Two.', filename: 'b.mp3' }], { gone: 'delete' });
      assert.deepEqual([wrong.deleted, await files()], [[], ['a.wav', 'b.wav']]);
      assert.match(
        wrong.warnings.join(),
        /no gone file was deleted \(gone: 1\).* \(wrong: 1\), then run again/,
      );
      assert.deepEqual((await run(tableOf('One.'), { gone: 'delete' })).deleted, ['b.wav']);
      assert.deepEqual(await files(), ['a.wav']);
    }));

  it('lists the warnings about texts with the files in the report, once per file', () =>
    withPrompts(speaks, async ({ run }) => {
      const report = await run(tableOf('<b>One.</b> <i>Two.</i>', 'Plain.', '**Three.**'));
      // Four files at a time are made: any of them can be the first one.
      assert.deepEqual(report.warnings.toSorted(), [
        'a.wav: text: markup was removed',
        'c.wav: text: markup was removed',
      ]);
      assert.deepEqual((await run(tableOf('<b>One.</b> <i>Two.</i>'))).warnings, []);
    }));

  it('limits the warnings about texts, and says that there are more', () =>
    withPrompts(speaks, async ({ run }) => {
      const texts = Array.from({ length: 23 }, (_, index) => `<b>Text ${index}.</b>`);
      const { warnings } = await run(tableOf(...texts));
      assert.equal(warnings.length, 21);
      assert.match(warnings.at(19) ?? '', /\.wav: text: markup was removed/);
      assert.match(warnings.at(20) ?? '', /more texts have warnings/);
    }));

  it('writes the index as CSV and HTML if selected', () =>
    withPrompts(
      speaks,
      async ({ run, files }) => {
        await run(tableOf('One.'), { index_csv: true, index_html: true });
        assert.deepEqual(await files(), ['a.wav', 'index.csv', 'index.html']);
      },
      {},
    ));

  it('reads a CSV file, and refuses to replace it by its own index', () =>
    withPrompts(speaks, async ({ flow, run, files, folder }) => {
      const csv_file = path.join(folder, 'index.csv');
      await writeFile(csv_file, '\uFEFFText;Filename\r\nHallo.;hallo.wav\r\n');
      assert.equal((await run(undefined, { csv_file })).made, 1);
      assert.deepEqual(await files(), ['hallo.wav', 'index.csv']);
      flow.send('node', { csv_file, index_csv: true });
      assert.match(errorOf(await flow.out('fatal')).message, /index/);
    }));

  it('sends the message to fatal, without a request, if the folder cannot be created', () =>
    withPrompts(
      speaks,
      async ({ flow, server }) => {
        flow.send('node', { payload: tableOf('One.') });
        assert.equal(errorOf(await flow.out('fatal')).code, 'bad-request');
        assert.equal(server.requests.length, 0);
      },
      { node: { folder: '/dev/null/prompts' } },
    ));

  it('names the missing folder', () =>
    withPrompts(
      speaks,
      async ({ flow }) => {
        flow.send('node', { payload: tableOf('One.') });
        assert.match(errorOf(await flow.out('fatal')).message, /^msg\.folder is missing|^folder is missing/);
      },
      { node: { folder: '' } },
    ));

  it('shows the progress and the result as status', () =>
    withPrompts(speaks, async ({ flow, run }) => {
      await run(tableOf('One.', 'Two.'));
      await until(() => statusTexts(flow.received('status-of')).includes('Files done: 2/2'));
      const texts = statusTexts(flow.received('status-of'));
      assert.ok(texts.includes('Planning') && texts.includes('Files: 0/2'), texts.join());
      assert.ok(
        texts.some((text) => /^1\/2, \d+ min left$/.test(text)),
        texts.join(),
      );
    }));

  it('keeps the order of messages: a second table waits for the first run', () =>
    withPrompts(speaks, async ({ flow, folder }) => {
      await mkdir(path.join(folder, 'sub'));
      flow.send('node', { payload: tableOf('One.'), topic: 'first' });
      flow.send('node', { payload: tableOf('Two.'), topic: 'second' });
      const [first, second] = [await flow.out('done'), await flow.out('done')];
      assert.deepEqual([first.topic, second.topic], ['first', 'second']);
    }));
});
