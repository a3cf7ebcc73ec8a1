import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { runCommand } from '../../support/command-line.js';
import { useFolder } from '../../support/folder.js';

describe('the command line of herald-service', () => {
  const at = useFolder();
  const run = (...args: string[]) => runCommand(args);

  it('prints every option for --help', async () => {
    const { stdout, code } = await run('--help');
    for (const flag of ['port', 'host', 'data', 'json', 'watch-stdin', 'help', 'version']) {
      assert.match(stdout, new RegExp(`--${flag}\\b`));
    }
    assert.equal(code, 0);
  });

  it('prints the version for --version', async () => {
    const { stdout, code } = await run('--version');
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal(code, 0);
  });

  it('reports in one line that no service runs, for a link to the console', async () => {
    const { code, stderr } = await run('console', '--data', at('data'));
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: no running service uses [^\n]+\n$/);
  });

  it('manages accounts without a running service, and reports a refusal in one line with code 1', async () => {
    const create = ['accounts', 'create', 'radio', '--tier', 'pro', '--data', at('data')];
    assert.equal((await run(...create)).code, 0);
    const again = await run(...create);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /^herald-service: name is "radio": expected a name that is not in use\n$/);
    const { stdout } = await run('accounts', 'list', '--data', at('data'));
    assert.match(stdout, /^name +tier +credits +created\n(local +unlimited +- .*\n)?radio +pro /);
  });

  it('reports a damaged database in one line with code 1, and does not change it', async () => {
    const file = at('herald.sqlite');
    await writeFile(file, 'no database at all, and long enough to be read as the head of one'.repeat(100));
    const before = await readFile(file);
    const { code, stderr } = await run('--port', '0', '--data', at());
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: .*herald\.sqlite: it is damaged or not a database.*\n$/);
    assert.deepEqual(await readFile(file), before);
  });

  const misuses = [
    ['--tier', 'pro'],
    ['accounts', 'destroy'],
    ['--config', '/nowhere'],
    ['--nothing'],
    ['--port', 'x'],
    ['--port', '70000'],
    ['stray'],
    ['--port'],
  ];
  for (const args of misuses) {
    it(`rejects "${args.join(' ')}" with code 2 and the reason`, async () => {
      const { stderr, stdout, code } = await run(...args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /^herald-service: .+\nSee herald-service --help\n$/);
    });
  }

  it('names the value that a flag lacks, and a flag without a value', async () => {
    for (const [args, message] of [
      [['--wyoming'], '--wyoming: the value is missing. Use --wyoming [HOST:]PORT'],
      [['--wyoming', '--metrics'], '--wyoming: the value is missing. Use --wyoming [HOST:]PORT'],
      [['--quiet=on'], '--quiet has no value: use --quiet alone'],
      [['--quiet', 'on'], '--quiet has no value: leave "on" out'],
      [['--metrics', 'maybe'], 'metrics is "maybe": expected on or off'],
    ] as const) {
      const { code, stderr } = await run(...args);
      assert.deepEqual([code, stderr.split('\n')[0]], [2, `herald-service: ${message}`]);
    }
  });

  it('reports a port in use in one line with code 1', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const { stderr, code } = await run('--port', String(address.port), '--data', at('data'));
    server.close();
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: the port is in use .*--port\n$/);
  });

  it('reports an unusable data folder in one line with code 1', async () => {
    await writeFile(at('a-file'), '');
    const { stderr, code } = await run('--port', '0', '--data', at('a-file', 'below'));
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: .*a-file.*not usable.*\n$/);
  });
});
