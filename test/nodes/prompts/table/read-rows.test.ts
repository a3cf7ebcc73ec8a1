import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { localize } from '../../../../nodes/runtime/localize.js';
import { translatorFor } from '../../../support/node-red/runtime-texts.js';
import { madeOf, problemsOf, read } from './tables.js';

const rejects = (input: unknown, message: RegExp) =>
  assert.rejects(read(input), { code: 'bad-request', route: 'fatal', message });
const row = (fields: object = {}) => ({ text: 'Hello', filename: 'a', ...fields });
const problem = async (fields: object) => problemsOf(await read([row(fields)]))[1] ?? '';

describe('readTable with an array', () => {
  it('reads the rows, also of a function node, and numbers as texts', async () => {
    const made = ['1 5 -> 1001.wav', '3 Hi -> b.wav'];
    const array = [{ Text: 5, 'file name': 1001 }, {}, { text: 'Hi', filename: 'b', style: null }];
    const foreign: unknown = runInNewContext(`(${JSON.stringify(array)})`);
    assert.deepEqual(madeOf(await read(array)), made);
    assert.deepEqual(madeOf(await read(foreign)), made);
  });

  it('reads voice settings from an object, from JSON, and from columns, which win', async () => {
    const settings = async (fields: object) => (await read([row(fields)])).rows[0]?.voice;
    const voice_settings = { speed: 1.2, duration: 3 };
    assert.deepEqual(await settings({ voice_settings }), { voice_settings });
    assert.deepEqual(await settings({ 'Voice settings': JSON.stringify(voice_settings) }), {
      voice_settings,
    });
    assert.deepEqual(await settings({ voice_settings, 'voice_settings.speed': ' 0,9 ' }), {
      voice_settings: { speed: 0.9, duration: 3 },
    });
    assert.deepEqual(await settings({ 'voice_settings.breath': '2' }), { voice_settings: { breath: 2 } });
  });

  it('reports each invalid field of a row with its value and rule', async () => {
    assert.match(await problem({ language: 'german' }), /^language is "german": expected a two-letter/);
    assert.match(
      await problem({ 'voice_settings.speed': '9' }),
      /^voice_settings\.speed is 9: expected a number from 0.5 to 2$/,
    );
    assert.match(
      await problem({ 'Voice settings.breath': 'x' }),
      /^voice_settings\.breath is "x": enter a number$/,
    );
    assert.match(await problem({ voice_settings: 'fast' }), /^voice_settings is "fast": enter an object$/);
    assert.match(await problem({ format: 'flac' }), /^format is "flac": unknown format/);
    assert.match(
      await problem({ text: '...' }),
      /^text is "\.\.\.": expected a text with at least one letter/,
    );
    assert.match(await problem({ text: ' ' }), /^text is missing: enter a text$/);
    assert.match(await problem({ filename: '' }), /^filename is missing: enter a file name such as/);
    assert.match(await problem({ filename: ['a'] }), /^filename is .*: enter a text$/);
    assert.equal((await problem({ language: 'x', format: 'y', filename: '../z' })).split(' | ').length, 3);
  });

  it('reports a row that is blank without its markup, unless the node reads markup', async () => {
    const rows = [
      row({ text: '<break time="1s"/>' }),
      row({ text: '{{x}}', filename: 'b', x: '**' }),
      row({ text: '<b>Hi</b>', filename: 'c' }),
    ];
    const rule = 'nothing is left without markup and emoji: send a text, or let markup be read';
    assert.deepEqual(problemsOf(await read(rows)), {
      1: `text is "<break time=\\"1s\\"/>": ${rule}`,
      2: 'text is "**": expected a text with at least one letter or digit',
    });
    assert.equal((await read(rows, undefined, 'read')).rows.length, 2);
  });

  it('completes the extension from the format of the row, and rejects another one', async () => {
    const table = await read([
      row({ filename: 'a', format: 'Asterisk-ulaw' }),
      row({ filename: 'b.WAV' }),
      row({ filename: 'v1.2' }),
      row({ filename: 'd.wav', format: 'asterisk-ulaw' }),
    ]);
    assert.deepEqual(
      table.rows.map(({ filename, format }) => [filename, format]),
      [
        ['a.ulaw', 'asterisk-ulaw'],
        ['b.WAV', undefined],
        ['v1.2.wav', undefined],
      ],
    );
    assert.match(
      problemsOf(table)[4] ?? '',
      /^filename is "d\.wav": the format needs the extension \.ulaw: change/,
    );
  });

  it('reports the later of two rows with the same file, in any case and Unicode form, also if the first is wrong', async () => {
    const files = ['menu/Caf\u00e9', 'Menu\\cafe\u0301.wav', 'b', 'b/c', 'd/e', 'D'];
    const table = await read([
      ...files.map((filename) => row({ filename })),
      row({ filename: 'x', text: '' }),
      row({ filename: 'X' }),
    ]);
    assert.deepEqual(
      madeOf(table).map((made) => made[0]),
      ['1', '3', '4', '5', '6'],
    );
    assert.deepEqual(problemsOf(table), {
      2: 'filename is "Menu/caf\u00e9.wav": row 1 has the same file: choose another name',
      7: 'text is missing: enter a text',
      8: 'filename is "X.wav": row 7 has the same file: choose another name',
    });
  });

  it('reports a file in the place of a folder', async () => {
    const table = await read([
      row({ filename: 'b' }),
      row({ filename: 'B.wav/c' }),
      row({ filename: 'e.wav/f' }),
      row({ filename: 'e' }),
    ]);
    assert.deepEqual(
      madeOf(table).map((made) => made[0]),
      ['1', '3'],
    );
    assert.match(problemsOf(table)[2] ?? '', /row 1 uses the name of a file as a folder/);
    assert.match(problemsOf(table)[4] ?? '', /row 3 uses the name of a file as a folder/);
  });

  it('reports rows that are not objects, and rows with two equal fields', async () => {
    const table = await read([row(), null, 'text', ['a'], { Text: 'a', text: 'b', filename: 'c' }]);
    assert.deepEqual(madeOf(table), ['1 Hello -> a.wav']);
    assert.match(
      problemsOf(table)[2] ?? '',
      /^row null: expected an object with the fields text and filename$/,
    );
    assert.match(problemsOf(table)[5] ?? '', /^the fields Text and text have the same name: delete one/);
    assert.deepEqual(
      table.wrong.map(({ number }) => number),
      [2, 3, 4, 5],
    );
  });

  it('reports a row with more than 65,536 characters, also if tags insert them', async () => {
    const table = await read([
      row({ notes: 'x'.repeat(70_000) }),
      row({ filename: 'b', text: '{{notes}}'.repeat(1000), notes: 'x'.repeat(100) }),
      row({ filename: 'c', text: '{{notes}}'.repeat(1000), notes: 'x'.repeat(50) }),
    ]);
    assert.deepEqual(
      table.rows.map(({ text }) => text.length),
      [50_000],
    );
    const problem = 'the row has more than 65536 bytes: shorten it';
    assert.deepEqual(problemsOf(table), { 1: problem, 2: problem });
  });

  it('keeps the file name of a wrong row, so that its file does not count as gone', async () => {
    const { wrong } = await read([
      row({ language: 'x', filename: 'menu\\a' }),
      row({ filename: '../b' }),
      null,
    ]);
    assert.deepEqual(
      wrong.map(({ filename }) => filename),
      ['menu/a.wav', '../b', ''],
    );
  });

  it('rejects an input other than an array or CSV', async () => {
    for (const input of [undefined, null, 5, true, { text: 'a', filename: 'b' }, () => [], new Map()])
      await rejects(input, /^table .*: expected an array of objects, or CSV as a text or a Buffer$/);
    await rejects([{}], /missing columns: text, filename/);
    await rejects([{ text: '', filename: '' }], /no rows: add at least one row/);
    await rejects([], /no rows: add at least one row/);
    await rejects(
      [{ file: 'a', words: 'b', 'Voice ID': 'c' }],
      /missing columns: text, filename\. .* Known columns found: voice_id$/,
    );
  });

  it('translates the problems', async () => {
    const german = await translatorFor('de');
    const { wrong } = await read([row(), row({ format: 'x' }), row({ filename: 'con' })]);
    assert.deepEqual(
      wrong.flatMap(({ problems }) => problems.map((text) => localize(german, text))),
      [
        'Format (format) ist "x": unbekanntes Format: Tragen Sie ein Format wie asterisk-wav ein, oder lassen Sie die Zelle leer',
        'Datei (filename) ist "con": "con" ist unter Windows der Name eines Geräts: Wählen Sie einen anderen Namen',
      ],
    );
  });
});

describe('tags in the text of a row', () => {
  it('become the value of the column in this row, in any case and without HTML entities', async () => {
    const rows = [
      row({ text: 'Hi {{Name}} & {{{first-name}}}, {{number}}', name: 'A<b>', first_name: '"C"', number: 0 }),
    ];
    assert.deepEqual(madeOf(await read(rows)), ['1 Hi A<b> & "C", 0 -> a.wav']);
    const csv = 'text,filename,Ext.No\n"Dial {{ext.no}}, {{filename}}",a,"{{text}}"';
    assert.deepEqual(madeOf(await read(csv)), ['2 Dial {{text}}, a -> a.wav']);
  });

  it('may miss a value only in a section', async () => {
    const text = '{{#name}}Hi {{name}}. {{/name}}{{^name}}Hello. {{/name}}Press 1.';
    const table = await read([
      row({ text, name: 'Bo' }),
      row({ text, filename: 'b' }),
      row({ text: '{{name}}!', filename: 'c' }),
    ]);
    assert.deepEqual(madeOf(table), ['1 Hi Bo. Press 1. -> a.wav', '2 Hello. Press 1. -> b.wav']);
    assert.match(
      problemsOf(table)[3] ?? '',
      /^text: \{\{name\}\} has no value in this row: enter a value, or write \{\{#name\}\}/,
    );
  });

  it('must name a column other than the text, and be complete', async () => {
    assert.match(
      await problem({ text: 'Hi {{nme}}', name: 'Bo' }),
      /^text: the column of \{\{nme\}\} does not exist\. Use one of filename, name$/,
    );
    for (const tag of ['text', '.', '> a', '#constructor}}{{/constructor', '__proto__', 'toString'])
      assert.match(await problem({ text: `Hi {{${tag}}}` }), /^text: the column of .* does not exist/);
    assert.match(
      await problem({ text: 'Hi {{name' }),
      /^text is "Hi \{\{name": the template is invalid: Unclosed tag/,
    );
    assert.match(await problem({ text: 'Hi {{list}}', list: ['a'] }), /^text: \{\{list\}\} has no value/);
  });
});
