import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { Manifest, MANIFEST } from '../../../../nodes/prompts/files/manifest.js';
import type { PromptFile } from '../../../../nodes/prompts/files/prompt-file.js';
import { withManifest } from './prompt-set.js';
import { never } from '../../../support/waiting.js';
import { useFolder } from '../../../support/folder.js';
import { anyText } from '../../../support/any-text.js';

const fileOf = (filename: string, text = 'Welcome.'): PromptFile => ({
  filename,
  hash: 'a'.repeat(64),
  text,
  seconds: 1.5,
  bytes: 48_044,
  sha256: 'b'.repeat(64),
  modifiedMs: 1_800_000_000_000,
  voice_id: 'anna',
  language: 'en',
  madeAt: '2026-11-22T09:00:00.000Z',
});

const name = fc.constantFrom(
  'a.wav',
  'b.wav',
  'menu/main.wav',
  'menü/ホーム.wav',
  'constructor',
  '__proto__',
);
const step = fc.oneof(
  fc.record({ add: name, text: anyText() }),
  fc.record({ remove: fc.array(name) }),
  fc.record({ addFolder: fc.constantFrom('menu', 'menü') }),
  fc.record({ removeFolder: fc.constantFrom('menu', 'menü') }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function apply(manifest: Manifest, change: Step): Promise<void> {
  if ('add' in change) return manifest.add(fileOf(change.add, change.text));
  if ('remove' in change) return manifest.remove(change.remove);
  return 'addFolder' in change
    ? manifest.addFolder(change.addFolder)
    : manifest.removeFolder(change.removeFolder);
}

const stateOf = (manifest: Manifest) => ({ files: manifest.all(), folders: [...manifest.folders].sort() });
/** The text comes back with a replacement character for each half of a surrogate pair, as in every UTF-8 file. */
const stored = (state: ReturnType<typeof stateOf>): unknown => JSON.parse(JSON.stringify(state));

describe('the manifest of a folder', () => {
  const folder = useFolder();
  const file = () => path.join(folder(), MANIFEST);
  const read = () => withManifest(folder(), async (manifest) => stateOf(manifest));
  const names = async () => (await read()).files.map(({ filename }) => filename);
  const linesOf = async () => (await readFile(file(), 'utf8')).trimEnd().split('\n');

  it('has the same state after each reading, without and with the removal of obsolete lines', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (changes) => {
        await writeFile(file(), '');
        const manifest = await Manifest.open(folder(), never);
        for (const change of changes) await apply(manifest, change);
        const state = stored(stateOf(manifest));
        assert.deepEqual(stored(await read()), state);
        await manifest.close();
        assert.deepEqual(stored(await read()), state);
      }),
      { numRuns: 60 },
    ));

  it('keeps every line that many runs of savings add at the same time', async () => {
    const expected = Array.from({ length: 200 }, (_, index) => `${index}.wav`);
    const manifest = await Manifest.open(folder(), never);
    await Promise.all(expected.map((filename) => manifest.add(fileOf(filename))));
    assert.deepEqual(await names(), expected);
    await manifest.close();
  });

  it('has one line for each file after it was closed', async () => {
    await withManifest(folder(), async (manifest) => {
      for (const text of ['one', 'two', 'three']) await manifest.add(fileOf('a.wav', text));
      await manifest.add(fileOf('b.wav'));
      await manifest.remove(['b.wav']);
      assert.equal((await linesOf()).length, 6);
    });
    const [header, line, ...others] = await linesOf();
    assert.equal(header, '{"herald":"prompts","version":1}');
    assert.equal(JSON.parse(line ?? '').text, 'three');
    assert.deepEqual(others, []);
    assert.deepEqual(await readdir(folder()), [MANIFEST]);
  });

  it('is empty without a file and without a folder, and reading it writes nothing', async () => {
    const missing = path.join(folder(), 'missing');
    await withManifest(missing, async (manifest) => assert.deepEqual(manifest.all(), []));
    assert.deepEqual(await names(), []);
    assert.deepEqual(await readdir(folder()), []);
  });

  for (const length of [1, 40, 150]) {
    it(`ignores a last line of which a killed process wrote ${length} bytes, and continues in a new line`, async () => {
      await withManifest(folder(), (manifest) => manifest.add(fileOf('a.wav')));
      await appendFile(file(), JSON.stringify(fileOf('torn.wav')).slice(0, length));
      await withManifest(folder(), async (manifest) => {
        assert.equal(manifest.damagedLines, 1);
        await manifest.add(fileOf('b.wav'));
        assert.equal((await linesOf()).length, 4);
      });
      assert.deepEqual(await names(), ['a.wav', 'b.wav']);
      assert.equal((await linesOf()).length, 3);
    });
  }

  it('ignores damaged lines in the middle, and reads the lines behind them', async () => {
    await withManifest(folder(), (manifest) => manifest.add(fileOf('a.wav')));
    const wrong = [
      'no JSON',
      '\u0000\u0000\u0000',
      'null',
      '[]',
      '{"filename":"x.wav"}',
      JSON.stringify({ ...fileOf('x.wav'), seconds: -1 }),
      JSON.stringify({ ...fileOf('x.wav'), sha256: 'short' }),
    ];
    await appendFile(file(), [...wrong, JSON.stringify(fileOf('b.wav'))].join('\n'));
    await withManifest(folder(), async (manifest) => assert.equal(manifest.damagedLines, wrong.length));
    assert.deepEqual(await names(), ['a.wav', 'b.wav']);
  });

  for (const filename of [
    '../a.wav',
    'menu/../../a.wav',
    '/etc/passwd',
    'C:/a.wav',
    'c:a.wav',
    '..\\a.wav',
    'a//b.wav',
    './a.wav',
    'a/',
    '',
    'a\u0000.wav',
    'a\ud800.wav',
    MANIFEST,
    'menu/.herald-x',
  ]) {
    it(`ignores a line with the edited file name ${JSON.stringify(filename)}`, async () => {
      const lines = [fileOf(filename), { folder: filename }, { removed: filename }];
      await writeFile(file(), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await withManifest(folder(), async (manifest) => {
        assert.equal(manifest.damagedLines, 3);
        assert.deepEqual(stateOf(manifest), { files: [], folders: [] });
      });
    });
  }

  it('reads a file that an editor saved with a byte order mark, CRLF, blank lines and further fields', async () => {
    const line = JSON.stringify({ ...fileOf('a.wav'), note: 'checked' });
    await writeFile(file(), `\uFEFF{"herald":"prompts","version":1}\r\n\r\n${line}\r\n`);
    await withManifest(folder(), async (manifest) => {
      assert.equal(manifest.damagedLines, 0);
      assert.deepEqual(manifest.all(), [fileOf('a.wav')]);
    });
  });

  it('rejects the file of a later version and leaves it unchanged', async () => {
    await writeFile(file(), '{"herald":"prompts","version":2}\n{"entry":1}\n');
    await assert.rejects(Manifest.open(folder(), never), {
      code: 'bad-request',
      message: /\.herald-prompts\.jsonl": a later version of Herald wrote this file: update Herald/,
    });
    assert.equal((await linesOf()).length, 2);
  });

  it('rejects a folder and a symbolic link in its place', async () => {
    await mkdir(file());
    await assert.rejects(Manifest.open(folder(), never), { code: 'bad-request', message: /jsonl"/ });
    const inner = path.join(folder(), 'inner');
    await mkdir(inner);
    await symlink('/etc/passwd', path.join(inner, MANIFEST));
    await assert.rejects(Manifest.open(inner, never), { code: 'bad-request', message: /regular file/ });
  });

  it('stops to read with the reason of the signal', async () => {
    const stopped = new Error('stopped');
    await assert.rejects(Manifest.open(folder(), AbortSignal.abort(stopped)), stopped);
  });

  it('keeps the entry of a file if the new line cannot be written', async () => {
    const manifest = await Manifest.open(path.join(folder(), 'missing'), never);
    await assert.rejects(manifest.add(fileOf('a.wav')), { code: 'bad-request', message: /no such file/ });
    assert.equal(manifest.get('a.wav'), undefined);
    await manifest.close();
  });
});
