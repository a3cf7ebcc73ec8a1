import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { MarkSigner, newMarkKey, withMark, withoutMark } from '@herald-speech/client';
import { runCommand } from '../../support/command-line.js';
import { useFolder } from '../../support/folder.js';
import { startTestService } from '../../support/service/service.js';

/** docs/service.md#check-a-mark */
describe('the commands for the mark of synthetic speech', () => {
  const at = useFolder();
  const run = (...args: string[]) => runCommand([...args, '--data', at('data')]);

  /** Writes a file of the service, a changed file, one of another Herald, an unsigned and an unmarked one. */
  async function writeFiles(): Promise<void> {
    const service = await startTestService({ data: at('data') });
    const reply = await service.send('POST', '/v1/text-to-speech/slt', { text: 'Hello.', language: 'en' });
    const own = Buffer.from(await reply.arrayBuffer());
    await service.close();
    const changed = Buffer.from(own);
    changed.writeInt16LE(changed.readInt16LE(2000) + 1, 2000);
    const signer = new MarkSigner(newMarkKey());
    await writeFile(at('own.wav'), own);
    await writeFile(at('changed.wav'), changed);
    await writeFile(at('other.wav'), withMark(own, { voice: 'v', signer }));
    await writeFile(at('unsigned.wav'), withMark(own, {}));
    await writeFile(at('unmarked.wav'), withoutMark(own));
  }

  it('print the public half of the key, and tell what happened to files', async () => {
    await writeFiles();
    const key = await run('mark-key');
    assert.equal(key.code, 0);
    assert.match(key.stdout, /^[\w-]{43}\n$/);
    const own = await run('verify', at('own.wav'));
    assert.equal(own.code, 0);
    assert.equal(
      own.stdout,
      `${at('own.wav')}: made by this Herald and unchanged (voice slt, language en)\n`,
    );
    const lines = { changed: 'changed after it was signed', unmarked: 'unmarked' };
    for (const [name, line] of Object.entries(lines)) {
      const result = await run('verify', at(`${name}.wav`));
      assert.deepEqual([result.code, result.stdout], [1, `${at(`${name}.wav`)}: ${line}\n`]);
    }
    assert.match(
      (await run('verify', at('unsigned.wav'))).stdout,
      /: marked as synthetic speech, but not signed\n$/,
    );
    assert.match(
      (await run('verify', at('other.wav'))).stdout,
      /: made by another Herald and unchanged \(voice v\), key [\w-]{43}\n$/,
    );
  });

  it('check several files, with one line of JSON for programs', async () => {
    await writeFiles();
    const names = ['own', 'changed'].map((name) => at(`${name}.wav`));
    const { code, stdout } = await run('verify', ...names, '--json');
    assert.equal(code, 1);
    const { files } = JSON.parse(stdout) as { files: { file: string; verdict: string }[] };
    assert.deepEqual(
      files.map(({ file, verdict }) => [file, verdict]),
      [
        [names[0], 'unchanged'],
        [names[1], 'changed'],
      ],
    );
    const { key } = JSON.parse((await run('mark-key', '--json')).stdout) as { key: string };
    assert.match(key, /^[\w-]{43}$/);
  });

  it('check a file with the published key of another Herald', async () => {
    await writeFiles();
    const { stdout } = await run('mark-key');
    const elsewhere = ['--data', at('elsewhere')];
    const result = await runCommand(['verify', at('own.wav'), `--public-key=${stdout.trim()}`, ...elsewhere]);
    assert.equal(result.code, 0);
    assert.match(result.stdout, /: made by the Herald with this key and unchanged/);
    for (const json of [[], ['--json']]) {
      const unknown = await runCommand(['verify', at('own.wav'), ...elsewhere, ...json]);
      assert.equal(unknown.code, 1);
      // Not "another Herald": nothing tells that without a key.
      assert.doesNotMatch(unknown.stdout, /another/);
      assert.match(unknown.stderr, /^herald-service: no key in .*elsewhere: .* --data\n$/);
    }
  });

  it('check all files, although one of them is missing or no audio', async () => {
    await writeFiles();
    await writeFile(at('page.html'), '<html></html>');
    const names = ['none.wav', 'own.wav', 'page.html', 'unmarked.wav'].map((name) => at(name));
    const { code, stdout, stderr } = await run('verify', ...names);
    assert.equal(code, 1);
    assert.match(stdout, /^.*own\.wav: made by this Herald[^\n]*\n.*unmarked\.wav: unmarked\n$/);
    assert.match(
      stderr,
      /^herald-service: .*none\.wav: no such file\nherald-service: .*page\.html: neither[^\n]*\n$/,
    );
    const { files } = JSON.parse((await run('verify', ...names, '--json')).stdout) as { files: object[] };
    assert.deepEqual(
      files.map((file) => ('error' in file ? 'error' : 'verdict' in file && file.verdict)),
      ['error', 'unchanged', 'error', 'unmarked'],
    );
  });

  it('report a missing key, a missing file and another kind of file in one line', async () => {
    await writeFile(at('page.html'), '<html></html>');
    for (const [args, problem] of [
      [['mark-key'], /^herald-service: no key in .*: the first start of the service creates it[^\n]*\n$/],
      [['verify', at('none.wav')], /^herald-service: .*none\.wav: no such file\n$/],
      [['verify', at('page.html')], /^herald-service: .*page\.html: neither WAV, MP3[^\n]*\n$/],
    ] as const) {
      const { code, stderr } = await run(...args);
      assert.equal(code, 1);
      assert.match(stderr, problem);
    }
  });

  it('refuse wrong arguments with code 2', async () => {
    for (const args of [
      ['verify'],
      ['mark-key', 'x'],
      ['mark-key', '--public-key', 'A'.repeat(43)],
      ['verify', 'x.wav', '--public-key', 'short'],
      ['verify', 'x.wav', '--account', 'a'],
      ['--public-key', 'A'.repeat(43)],
    ])
      assert.equal((await run(...args)).code, 2, args.join(' '));
  });
});
