import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { propertyOf } from '../../../../nodes/runtime/objects.js';
import { errorOf } from '../../../support/node-red/messages.js';
import { reportOf, withPrompts } from '../../../support/node-red/prompts.js';
import { type Script, spoken } from '../../../support/net/scripted-server.js';

const speaks: Script = () => spoken({ seconds: 0.5 });

/** A table as a spreadsheet program saves it, with mistakes of its user. */
const TABLE = [
  'sep=;',
  '"Text";"File name";"Voice ID";"Voice settings.Speed";"Format";"Company";;',
  '"Welcome to ""{{company}}"".";welcome;;1,1;;Acme & Sons;;',
  '"Press 1.\nPress 2.";menu\\main;voice-2;;asterisk-ulaw;;;',
  'Bye;bye;;;;',
  'No value of {{company}};empty;;;;;;',
  'Two cells; not quoted;mistake;;;;;;x',
  '"Not closed;mistake2;;;;;;',
  'Outside;..\\..\\mistake3;;;;;;',
  'Twice;BYE.wav;;;;;;',
  'Too fast;fast;;9,9;;;;',
  ';;;;;;;',
  '',
].join('\r\n');

describe('the prompts node with a spreadsheet', () => {
  it('makes the correct rows, and reports each other row with its line and reason', () =>
    withPrompts(speaks, async ({ flow, folder, files, server }) => {
      const csv_file = path.join(folder, 'table.csv');
      await writeFile(csv_file, `\uFEFF${TABLE}`);
      flow.send('node', { csv_file });
      const { made, wrong, rows } = reportOf(await flow.out('done'));
      assert.deepEqual([rows, made], [9, 3]);
      assert.deepEqual(await files(), ['bye.wav', 'menu/main.ulaw', 'table.csv', 'welcome.wav']);
      const speeds = server.requests.map(({ json }) => [
        String(json['text']),
        propertyOf(json['voice_settings'], 'speed'),
      ]);
      assert.deepEqual(Object.fromEntries(speeds), {
        Bye: undefined,
        'Press 1.\nPress 2.': undefined,
        'Welcome to "Acme & Sons".': 1.1,
      });
      assert.deepEqual(
        wrong.map(({ row }) => row),
        [7, 8, 9, 10, 11, 12],
      );
      const reasons = [
        /company.* has no value/,
        /cells \(9\)/,
        /wrong quote/,
        /filename/,
        /row 6 has/,
        /speed.* 9\.9/,
      ];
      for (const [index, reason] of reasons.entries())
        assert.match(wrong[index]?.problems.join() ?? '', reason);
    }));

  it('accepts corrected rows that are sent back', () =>
    withPrompts(speaks, async ({ flow, files }) => {
      flow.send('node', { payload: 'text;filename;company\nHello;a;Acme\nFrom {{company}};b;' });
      await flow.out('done');
      const failed = await flow.out('fatal');
      assert.match(errorOf(failed).message, /has no value in this row/);
      const [row]: object[] = Array.isArray(failed.payload) ? failed.payload : [];
      flow.send('node', { ...failed, payload: [{ ...row, company: 'Acme' }] });
      const { made, gone } = reportOf(await flow.out('done'));
      assert.deepEqual([made, gone, await files()], [1, [], ['a.wav', 'b.wav']]);
    }));
});
