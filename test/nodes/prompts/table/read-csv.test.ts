import assert from 'node:assert/strict';
import { madeOf, problemsOf, read } from './tables.js';

const rejects = (input: unknown, message: RegExp) =>
  assert.rejects(read(input), { code: 'bad-request', route: 'fatal', message });

describe('readTable with CSV', () => {
  it('reads texts and file names with their line numbers, from a text and from a Buffer', async () => {
    const csv = 'text,filename\nWelcome,menu/main\n"Press 1, or\r\nwait.",menu/wait.wav\nBye,bye\n';
    const expected = [
      '2 Welcome -> menu/main.wav',
      '3 Press 1, or\r\nwait. -> menu/wait.wav',
      '5 Bye -> bye.wav',
    ];
    for (const input of [csv, Buffer.from(csv), new Uint8Array(Buffer.from(csv)), `\uFEFF${csv}`])
      assert.deepEqual(madeOf(await read(input)), expected);
  });

  it('finds the columns in any order, in any case, with blanks, "-" and "_"', async () => {
    const csv = 'VOICE ID;File-Name;notes;Text;Voice Settings.Pitch-Shift;LANGUAGE\nanna;a;x;Hello;-2;en';
    const { rows, columns } = await read(csv);
    assert.deepEqual(columns, [
      'VOICE ID',
      'File-Name',
      'notes',
      'Text',
      'Voice Settings.Pitch-Shift',
      'LANGUAGE',
    ]);
    assert.deepEqual(rows, [
      {
        number: 2,
        given: {
          'VOICE ID': 'anna',
          'File-Name': 'a',
          notes: 'x',
          Text: 'Hello',
          'Voice Settings.Pitch-Shift': '-2',
          LANGUAGE: 'en',
        },
        text: 'Hello',
        filename: 'a.wav',
        voice: { voice_id: 'anna', language: 'en', voice_settings: { pitch_shift: -2 } },
        format: undefined,
      },
    ]);
  });

  it('finds the separator by the needed columns, else by the number of columns', async () => {
    const made = ['2 Hello -> a.wav'];
    assert.deepEqual(madeOf(await read('text;filename;"for x, y, and z"\nHello;a;')), made);
    assert.deepEqual(madeOf(await read('text\tfilename\tone, two; three\nHello\ta\t')), made);
    await rejects(
      'style;model;c,d\n1;2;3',
      /missing columns: text, filename\. .* Known columns found: style, model$/,
    );
  });

  it('reads an export of a spreadsheet program: "sep=", quoted names, blank columns and lines at the end', async () => {
    const csv =
      '\uFEFFsep=;\r\n"Text";"Filename";"voice_settings.speed";"";;\r\n' +
      'Hello;a;1,2;;;\r\n"tab\there";b;;;;\r\n\r\nshort;c\r\n;;;;;\r\n  \r\nlast;d;0.8\r\n;;;\r\n\r\n';
    const table = await read(csv);
    assert.deepEqual(madeOf(table), [
      '3 Hello -> a.wav',
      '4 tab\there -> b.wav',
      '6 short -> c.wav',
      '9 last -> d.wav',
    ]);
    assert.deepEqual(
      table.rows.map(({ voice }) => voice.voice_settings?.['speed']),
      [1.2, undefined, undefined, 0.8],
    );
    assert.deepEqual([table.wrong, table.columns], [[], ['Text', 'Filename', 'voice_settings.speed']]);
  });

  it('accepts the separator that a line "sep=" names, and quotes around the line', async () => {
    assert.deepEqual(madeOf(await read('"sep=|"\ntext|filename\nHello, you|a')), ['3 Hello, you -> a.wav']);
    assert.deepEqual(madeOf(await read('sep=\t\ntext\tfilename\nHello\ta')), ['3 Hello -> a.wav']);
  });

  it('reads lines that end in LF, CR LF and CR, also mixed', async () => {
    const csv = 'text,filename\ra,1\r\nb,2\nc,3\r\r\nd,4';
    assert.deepEqual(madeOf(await read(csv)), [
      '2 a -> 1.wav',
      '3 b -> 2.wav',
      '4 c -> 3.wav',
      '6 d -> 4.wav',
    ]);
  });

  it('reports a row with more cells than columns, and does not cut its text', async () => {
    const table = await read('text,filename\nHello, you,a.wav\nBye,b');
    assert.deepEqual(madeOf(table), ['3 Bye -> b.wav']);
    assert.deepEqual(problemsOf(table), {
      2: 'the row has more cells (3) than the table has columns (2): write a cell that contains "," in quotes',
    });
    assert.deepEqual(table.wrong[0]?.given, { line: 'Hello, you,a.wav' });
    await rejects([table.wrong[0]?.given], /missing columns: text, filename/);
  });

  it('continues at the next line after a quote that is wrong or not closed', async () => {
    const csv = 'text,filename\n"Hello,a\nBye,b\n"Third" one,c\nsay "four",d\nFive,e\n"end';
    const table = await read(csv);
    assert.deepEqual(madeOf(table), ['3 Bye -> b.wav', '6 Five -> e.wav']);
    assert.deepEqual(Object.keys(problemsOf(table)), ['2', '4', '5', '7']);
    assert.match(problemsOf(table)[5] ?? '', /^a cell has a wrong quote: write the whole cell in quotes/);
  });

  it('reports a row that is too long, and reads the rows after it', async () => {
    const table = await read(`text,filename\nHello,a\n"${'word '.repeat(20_000)}",b\nBye,c`);
    assert.deepEqual(madeOf(table), ['2 Hello -> a.wav', '4 Bye -> c.wav']);
    assert.match(problemsOf(table)[3] ?? '', /^the row has more than 65536 bytes: shorten it$/);
    const unquoted = await read(`text,filename\n${'word '.repeat(20_000)},b\nBye,c`);
    assert.match(problemsOf(unquoted)[2] ?? '', /^the row has more than 65536 bytes: shorten it$/);
    assert.deepEqual(madeOf(unquoted), ['3 Bye -> c.wav']);
  });

  it('rejects other encodings and workbooks with the encoding to choose', async () => {
    const csv = 'text,filename\nGrüße,a';
    await rejects(
      Buffer.from(csv, 'latin1'),
      /not UTF-8, probably it is Latin-1 .*: save the table as "CSV UTF-8"/,
    );
    await rejects(Buffer.from(csv, 'utf16le'), /the encoding is UTF-16: save/);
    await rejects(Buffer.from(`\uFEFF${csv}`, 'utf16le').swap16(), /the encoding is UTF-16: save/);
    await rejects(Buffer.from(csv, 'utf16le').toString(), /the encoding is UTF-16: save/);
    await rejects(
      Buffer.from('PK\u0003\u0004 zip'),
      /a workbook or archive, not CSV: save it as "CSV UTF-8"/,
    );
  });

  it('reports the rows of a text that was read in another encoding', async () => {
    const table = await read(Buffer.from('text,filename\nGrüße,a\nBye,b', 'latin1').toString());
    assert.deepEqual(madeOf(table), ['3 Bye -> b.wav']);
    assert.match(problemsOf(table)[2] ?? '', /^text is "Gr.*: a character is lost, .* read it as UTF-8$/);
  });

  it('lists all names of columns if the names of a table are translated', () =>
    rejects(
      'Ansage;Dateiname\nHallo;a',
      /The names are in English: text, filename, voice_id, language, style, model, format, voice_settings\. /,
    ));

  it('rejects a table without columns, without rows, or with two equal columns', async () => {
    await rejects('', /missing columns: text, filename\. .* Known columns found: -$/);
    await rejects('\uFEFF\r\n\n', /missing columns: text, filename/);
    await rejects('prompts.csv', /missing columns: text, filename\. .* Known columns found: -$/);
    await rejects(
      'Text\nHello',
      /missing columns: filename\. Add them to the first line, .* Known columns found: text$/,
    );
    await rejects('text,filename\n\n,\n', /no rows: add at least one row/);
    await rejects('text,filename,File name\na,b,c', /column 2 and column 3 have the same name: rename/);
    await rejects('text,"filename', /names of the columns in line 1 have a wrong quote/);
    await rejects(`text,filename,${'x,'.repeat(1100)}`, /more than 1000 columns/);
  });

  it('rejects more than 50 MB or 100,000 rows', async () => {
    await rejects(
      Buffer.alloc(50_000_001, 'a'),
      /50000001 bytes: expected at most 50000000 bytes: split the table/,
    );
    await rejects(`text,filename\n${'a,b\n'.repeat(100_001)}`, /more than 100000 rows: split the table/);
  });
});
