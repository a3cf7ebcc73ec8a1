import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CLI } from '../../support/cli.js';
import { runCommand } from '../../support/command-line.js';
import { spawned } from '../../support/spawned.js';

describe('herald-service read', () => {
  it('prints each line of its input as it will be read out, and nothing else', async () => {
    const input = 'It is 21.5 °C at 14:30.\n\nHello.';
    const { stdout, stderr, code } = await runCommand(['read', '--language', 'en'], { input });
    assert.equal(stdout, 'It is twenty-one point five degrees Celsius at fourteen thirty.\n\nHello.\n');
    assert.deepEqual([stderr, code], ['', 0]);
  });

  it('reads an ambiguous date in the order of a region', async () => {
    for (const [tag, date] of [
      ['en-GB', 'the third of April twenty twenty-six'],
      ['en-US', 'March fourth, twenty twenty-six'],
    ] as const) {
      const { stdout } = await runCommand(['read', '--language', tag], { input: '3/4/2026' });
      assert.equal(stdout, `${date}\n`);
    }
  });

  it('leaves emoji out, and prints their names with --emoji', async () => {
    const input = 'Window open ⚠️';
    const silent = await runCommand(['read', '--language', 'en'], { input });
    assert.equal(silent.stdout.trim(), 'Window open');
    const named = await runCommand(['read', '--language', 'en', '--emoji'], { input });
    assert.equal(named.stdout, 'Window open warning\n');
  });

  it('ends silently if the reader of its output has enough', async () => {
    const child = spawned(spawn(process.execPath, [CLI, 'read', '--language', 'en']));
    const problems: string[] = [];
    child.stderr.on('data', (piece) => problems.push(String(piece)));
    child.stdin.on('error', () => undefined);
    child.stdin.write('One.\n');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.end('Two.\n'.repeat(10_000));
    const [code] = await once(child, 'close');
    assert.deepEqual([code, problems], [0, []]);
  });

  it('rejects a missing language, further arguments and foreign flags with code 2', async () => {
    for (const args of [
      [],
      ['--language', 'english'],
      ['file', '--language', 'en'],
      ['--language', 'en', '--search', 'x'],
      ['--language', 'en', '--tier', 'pro'],
    ]) {
      const { stdout, stderr, code } = await runCommand(['read', ...args]);
      assert.deepEqual([stdout, code], ['', 2], args.join(' '));
      assert.match(stderr, /^herald-service: .+\nSee herald-service --help\n$/u);
    }
  });
});
