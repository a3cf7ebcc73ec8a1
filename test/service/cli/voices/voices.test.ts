import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { modelIn, seedMeasurement } from '../../voices/natural/catalogue/support.js';
import { CLI } from '../../../support/cli.js';
import { runCommand } from '../../../support/command-line.js';
import { writeStubVoice } from '../../../support/natural/stub-voice.js';
import {
  type MirrorFault,
  type MirrorRequest,
  type VoiceMirror,
  withVoiceMirror,
} from '../../../support/natural/voice-mirror.js';
import { writeRepository } from '../../../support/natural/voice-repository.js';
import { until } from '../../../support/waiting.js';
import { spawned } from '../../../support/spawned.js';

const NAME = 'de_DE-stub-medium';
const DUO = 'en_GB-duo-low';

describe('herald-service voices', () => {
  let folder: string;
  let repository: string;
  let data: string;
  const children: ChildProcessWithoutNullStreams[] = [];

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-voices-'));
    repository = path.join(folder, 'repository');
    await writeRepository(repository, [
      { name: NAME, licence: 'CC0' },
      { name: DUO, licence: 'CC BY-NC 4.0', speakers: ['anna', 'ben'] },
    ]);
  });
  beforeEach(async () => {
    data = await mkdtemp(path.join(folder, 'data-'));
    for (const name of [NAME, DUO]) seedMeasurement(data, modelIn(repository, name));
  });
  afterEach(async () => {
    const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(running.map(async (child) => (child.kill('SIGKILL'), once(child, 'exit'))));
    children.length = 0;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function start(words: string[]) {
    const child = spawned(spawn(process.execPath, [CLI, 'voices', ...words, '--data', data]));
    children.push(child);
    child.stdin.end();
    return child;
  }

  async function finish(child: ChildProcessWithoutNullStreams) {
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (piece) => (output.stdout += String(piece)));
    child.stderr.on('data', (piece) => (output.stderr += String(piece)));
    const [code]: unknown[] = await once(child, 'close');
    return { ...output, code };
  }

  const run = (...words: string[]) => runCommand(['voices', ...words, '--data', data]);

  /** Runs a command that succeeds, and returns its JSON. */
  async function json(...words: string[]) {
    const { stdout, stderr, code } = await run(...words, '--json');
    assert.equal(code, 0, stderr);
    return Object(JSON.parse(stdout));
  }

  const withMirror = (
    work: (mirror: VoiceMirror) => Promise<void>,
    faultOf?: (request: MirrorRequest) => MirrorFault | undefined,
  ) => withVoiceMirror(repository, work, faultOf);

  const installedFiles = (): Promise<string[]> => readdir(path.join(data, 'voices', NAME)).catch(() => []);

  /** Returns the number of bytes of unfinished models. */
  async function bytesOfParts(): Promise<number> {
    const voices = path.join(data, 'voices');
    const files = await readdir(voices, { recursive: true }).catch(() => []);
    const parts = files.filter((file) => file.endsWith('.onnx.part'));
    const sizes = await Promise.all(parts.map(async (file) => (await stat(path.join(voices, file))).size));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  it('lists the shipped catalogue without a network', async () => {
    const { stdout, code } = await run('available', '--language', 'de', '--search', 'thorsten');
    assert.equal(code, 0);
    const [head = '', first = ''] = stdout.split('\n');
    assert.match(head, /^name +language +quality +size +speakers +licence/);
    assert.match(first, /^de_DE-thorsten-medium +German \(Germany\) +medium +63 MB +CC0$/);
    assert.deepEqual(await readdir(data), ['measurements']);
  });

  it('shows the native runtime, refuses a file that is not its package, and removes it', async () => {
    const { isInstalled, bytes } = await json('native');
    assert.equal(isInstalled, false);
    assert.equal(typeof bytes, 'number');
    const file = path.join(data, 'other.tgz');
    await writeFile(file, 'other');
    const refused = await run('native', 'install', file);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /other\.tgz: SHA-512 differs.*npm pack onnxruntime-node@|WebAssembly/);
    assert.equal((await run('native', 'faster')).code, 2);
    const native = path.join(data, 'native');
    await mkdir(path.join(native, 'onnxruntime-node-1.0.0'), { recursive: true });
    const { stdout } = await run('native');
    assert.match(
      stdout,
      /made for another version of Herald, so voices run with WebAssembly\. (Update|Remove) it/,
    );
    const { isInstalled: isLeft, isOutdated } = await json('native', 'remove');
    assert.deepEqual([isLeft, isOutdated, await readdir(native)], [false, false, []]);
    await rm(native, { recursive: true });
  });

  it('installs a voice from a mirror with its licence, and lists, verifies and removes it', async () => {
    await withMirror(async ({ url }) => {
      assert.deepEqual(await json('refresh', '--mirror', url), { voices: 2, invalid: [] });
      const { stdout, stderr, code } = await run('install', 'stub', '--yes', '--mirror', url);
      assert.equal(code, 0, stderr);
      assert.ok(stderr.startsWith(`${NAME}: loading the model card\n`));
      assert.match(stderr, /^ {2}German \(Germany\), quality medium, [\d.]+ MB\n {2}Licence: CC0$/m);
      assert.match(stderr, /^ {2}\| # /m);
      assert.match(
        stdout,
        new RegExp(`^${NAME} is installed\\. Licence: CC0\\. Speed: 5\\.0 x real time, memory 80 MB\\.`),
      );
    });
    assert.deepEqual((await installedFiles()).toSorted(), [
      'MODEL_CARD',
      `${NAME}.onnx`,
      `${NAME}.onnx.json`,
      'installed.json',
    ]);
    const record = Object(
      JSON.parse(await readFile(path.join(data, 'voices', NAME, 'installed.json'), 'utf8')),
    );
    assert.equal(record.consent.licence, 'CC0');
    assert.match(record.consent.cardSha256, /^[0-9a-f]{64}$/);
    const { voices } = await json('list');
    assert.deepEqual(
      voices.map(({ name }: { name: string }) => name),
      [NAME],
    );
    assert.deepEqual(await json('verify'), { voices: [{ name: NAME, problems: [] }] });
    assert.deepEqual(await json('verify', 'stub'), { voices: [{ name: NAME, problems: [] }] });
    const file = path.join(data, 'measurements', `${NAME}.json`);
    await writeFile(
      file,
      JSON.stringify({ ...Object(JSON.parse(await readFile(file, 'utf8'))), realTimeFactor: 9 }),
    );
    assert.equal((await json('list')).voices[0].installed.isLive, false);
    const { measured } = await json('measure', 'stub');
    assert.deepEqual([measured[0].name, measured[0].isLive], [NAME, true]);
    assert.equal((await json('list')).voices[0].installed.isLive, true);
    assert.deepEqual(await json('remove', 'german stub', '--yes'), { removed: [NAME] });
    assert.deepEqual(await installedFiles(), []);
    assert.match((await run('list')).stdout, /^No natural voice is installed in .*voices\.\n$/);
  });

  it('installs from a folder without a network, and marks a licence without commercial use', async () => {
    await json('refresh', '--mirror', repository);
    const { stdout, stderr } = await run('install', 'duo', '--yes', '--mirror', repository);
    assert.match(stderr, /Licence: CC BY-NC 4\.0 \(no commercial use\)/);
    assert.match(stdout, /2 voices, the first is en_GB-duo-low-anna\.$/m);
    assert.ok(stdout.endsWith(`\nFolder: ${path.join(data, 'voices')}\n`));
    assert.match(
      (await run('list')).stdout,
      /CC BY-NC 4\.0 \(no commercial use\) .* 2: en_GB-duo-low-anna, \.\.\.$/m,
    );
  });

  it('asks for consent before any network use: without a terminal and --yes it fails with code 2', async () => {
    await withMirror(async ({ url, requests }) => {
      await json('refresh', '--mirror', url);
      const { code, stderr } = await run('install', NAME, '--mirror', url);
      assert.equal(code, 2);
      assert.match(stderr, /asks for consent to the licence: run the command on a terminal, or add --yes/);
      assert.equal(requests.length, 1);
    });
  });

  it('leaves nothing behind and exits with code 1 if a file has another digest', async () => {
    await withMirror(
      async ({ url }) => {
        await json('refresh', '--mirror', url);
        const { code, stderr } = await run('install', NAME, '--yes', '--mirror', url);
        assert.equal(code, 1);
        assert.match(stderr, new RegExp(`^herald-service: .*${NAME}`, 'm'));
        assert.deepEqual(await installedFiles(), []);
      },
      ({ file }) => (file.endsWith('.onnx') ? { content: Buffer.from('<html>sign in</html>') } : undefined),
    );
  });

  it('installs the other voices if one fails, and names both', async () => {
    await withMirror(
      async ({ url }) => {
        await json('refresh', '--mirror', url);
        const { code, stdout, stderr } = await run('install', NAME, DUO, '--yes', '--mirror', url, '--json');
        assert.equal(code, 1);
        assert.match(stderr, new RegExp(`^herald-service: .*${NAME}`, 'm'));
        const { installed, failed, declined } = Object(JSON.parse(stdout));
        const names = (voices: { name: string }[]) => voices.map(({ name }) => name);
        assert.deepEqual([names(installed), names(failed), declined], [[DUO], [NAME], []]);
      },
      ({ file }) => (file.endsWith(`${NAME}.onnx`) ? { status: 404 } : undefined),
    );
  });

  it('keeps the present catalogue if the new one is damaged', async () => {
    await json('refresh', '--mirror', repository);
    await withMirror(
      async ({ url }) => {
        const { code, stderr } = await run('refresh', '--mirror', url);
        assert.equal(code, 1);
        assert.match(stderr, /^Loading the list of voices\n/);
        assert.match(stderr, /voices\.json: .*The present catalogue remains/);
      },
      () => ({ content: Buffer.from('{"de_DE-stub-medium": {}}') }),
    );
    assert.equal((await json('available')).voices.length, 2);
  });

  it('uses the shipped catalogue and reports it if the saved one is damaged', async () => {
    await writeFile(path.join(data, 'natural-catalogue.json'), '{"at":');
    const { stdout, stderr, code } = await run('available', '--search', 'kerstin');
    assert.equal(code, 0);
    assert.match(stderr, /natural-catalogue\.json: damaged, so the catalogue of this version applies/);
    assert.match(stdout, /^de_DE-kerstin-low /m);
  });

  it('stops an installation on SIGINT, and the next installation continues the download', async () => {
    await json('refresh', '--mirror', repository);
    const size = (await readFile(path.join(repository, 'de/de_DE/stub/medium', `${NAME}.onnx`))).length;
    const half = Math.floor(size / 2);
    let isStalling = true;
    await withMirror(
      async ({ url, requests }) => {
        const child = start(['install', NAME, '--yes', '--mirror', url]);
        const finished = finish(child);
        await until(async () => (await bytesOfParts()) > 0);
        child.kill('SIGINT');
        const { code, stderr } = await finished;
        assert.equal(code, 1);
        assert.match(stderr, /cancelled\. Install the voice again to continue/);
        assert.deepEqual(await installedFiles(), []);
        isStalling = false;
        assert.equal((await run('install', NAME, '--yes', '--mirror', url)).code, 0);
        const ranges = requests
          .filter(({ file }) => file.endsWith('.onnx'))
          .map(({ headers }) => headers.range);
        assert.equal(ranges[0], undefined);
        assert.match(String(ranges[1]), /^bytes=[1-9]\d*-$/);
      },
      ({ file }) => (isStalling && file.endsWith('.onnx') ? { stallAt: half } : undefined),
    );
    assert.equal((await installedFiles()).length, 4);
  });

  it('reports a damaged voice with code 1, and does not list it as a voice', async () => {
    await json('refresh', '--mirror', repository);
    await json('install', NAME, '--yes', '--mirror', repository);
    await appendFile(path.join(data, 'voices', NAME, `${NAME}.onnx`), 'x');
    const { code, stdout } = await run('verify', NAME);
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^${NAME}: .*onnx`));
    const { voices, damaged } = await json('list');
    assert.deepEqual([voices, damaged], [[], [NAME]]);
    assert.match(
      (await run('list')).stdout,
      new RegExp(`^${NAME} is damaged: see herald-service voices verify ${NAME}$`, 'm'),
    );
  });

  it('imports the voices of a folder, also voices that are not in the catalogue', async () => {
    const own = path.join(data, 'own');
    const model = await writeStubVoice(own, { name: 'de_DE-mine-medium', licence: 'my voice' });
    seedMeasurement(data, model);
    const { stdout, stderr } = await run('import', own, '--json');
    assert.match(stderr, /^de_DE-mine-medium: copy of [\d.]+ MB$/m);
    const { imported } = Object(JSON.parse(stdout));
    assert.deepEqual(imported, [{ name: 'de_DE-mine-medium', licence: 'my voice', isNonCommercial: false }]);
    assert.match((await run('list')).stdout, /^de_DE-mine-medium +German \(Germany\) +medium +my voice /m);
  });

  it('exports a voice to one file, from which another computer without a network imports it with its licence', async () => {
    await json('refresh', '--mirror', repository);
    await json('install', NAME, '--yes', '--mirror', repository);
    const words = ['voices', 'export', 'stub', '--data', data];
    const child = spawned(spawn(process.execPath, [CLI, ...words], { cwd: folder }));
    children.push(child);
    const { stdout, stderr, code } = await finish(child);
    assert.equal(code, 0, stderr);
    const file = path.join(folder, `${NAME}.tar`);
    assert.match(stdout, new RegExp(`^${file}\n`));
    data = await mkdtemp(path.join(folder, 'data-'));
    seedMeasurement(data, modelIn(repository, NAME));
    const { imported } = await json('import', file);
    assert.deepEqual(imported, [{ name: NAME, licence: 'CC0', isNonCommercial: false }]);
    assert.deepEqual((await json('verify', NAME)).voices, [{ name: NAME, problems: [] }]);
  });

  it('refuses a file that is no exported voice, and one that was cut', async () => {
    const other = path.join(folder, 'other.tar');
    await writeFile(other, 'no archive'.repeat(100));
    assert.match(
      (await run('import', other)).stderr,
      /expected a folder, or a file of "herald-service voices export"/,
    );
    await json('refresh', '--mirror', repository);
    await json('install', NAME, '--yes', '--mirror', repository);
    const cut = path.join(folder, `${NAME}.tar`);
    const child = spawned(
      spawn(process.execPath, [CLI, 'voices', 'export', NAME, '--data', data], { cwd: folder }),
    );
    children.push(child);
    await finish(child);
    await truncate(cut, 2000);
    assert.match((await run('import', cut)).stderr, /the file is incomplete\. Copy it again/);
  });

  it('installs and removes a voice while the service runs, which offers it without a restart', async () => {
    const service = spawned(
      spawn(process.execPath, [CLI, '--port', '0', '--data', data, '--json', '--quiet']),
    );
    children.push(service);
    const [line]: unknown[] = await once(readline.createInterface(service.stdout), 'line');
    const { url, key } = Object(JSON.parse(String(line)));
    const headers = { 'x-sup-api-key': key, 'content-type': 'application/json' };
    const statusOfVoice = async () => (await fetch(`${url}/v1/voices/${NAME}`, { headers })).status;
    await json('refresh', '--mirror', repository);
    await json('install', NAME, '--yes', '--mirror', repository);
    await until(async () => (await statusOfVoice()) === 200);
    const body = JSON.stringify({ text: 'Guten Tag.', language: 'de' });
    const reply = await fetch(`${url}/v1/text-to-speech/${NAME}`, { method: 'POST', headers, body });
    assert.equal(reply.status, 200, await reply.clone().text());
    assert.ok((await reply.arrayBuffer()).byteLength > 10_000);
    await json('remove', NAME);
    await until(async () => (await statusOfVoice()) === 404);
  });

  const misuses: Array<[string[], RegExp]> = [
    [[], /^herald-service: command "voices": unknown command\. Use one of available, list, install, /],
    [['destroy'], /^herald-service: command "voices destroy": unknown command/],
    [['install'], /^herald-service: wrong arguments: expected herald-service voices install NAME\.\.\.$/m],
    [['import', 'a', 'b'], /expected herald-service voices import FILE\|FOLDER$/m],
    [
      ['list', '--mirror', '.'],
      /^herald-service: --mirror: has no effect on voices list\. Use it with voices install, refresh$/m,
    ],
    [
      ['install', '--fast', 'kerstin'],
      /^herald-service: --fast: unknown flag\nSee herald-service voices install --help\n$/,
    ],
    [['available', '--search', ' '], /^herald-service: --search: expected a text that is not empty$/m],
    [['install', 'torsten-medium', '--yes'], /unknown voice\. Similar names: de_DE-thorsten-medium, /],
    [['install', 'thorsten', '--yes'], /several voices match\. Use one of de_DE-thorsten-medium, /],
  ];
  for (const [words, message] of misuses) {
    it(`rejects "${['voices', ...words].join(' ')}" with code 2 and the fix`, async () => {
      const { code, stderr, stdout } = await run(...words);
      assert.equal(code, 2);
      assert.match(stderr, message);
      assert.equal(stdout, '');
    });
  }

  it('prints a help with all commands', async () => {
    const { stdout, code } = await run('--help');
    assert.equal(code, 0);
    for (const command of [
      'available',
      'list',
      'install',
      'measure',
      'verify',
      'remove',
      'export',
      'import',
      'refresh',
    ]) {
      assert.match(stdout, new RegExp(`^  voices ${command}\\b`, 'm'));
    }
  });

  it('prints for each command a help with its flags only', async () => {
    const { stdout, code } = await run('install', '--help');
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^Usage: herald-service voices install NAME\.\.\. \[options\]\n\nShows the licence, asks, /,
    );
    const flags = (text: string) => [...text.matchAll(/^ {2}(--\w+)/gm)].map(([, flag]) => flag);
    assert.deepEqual(flags(stdout), ['--language', '--yes', '--mirror', '--data', '--voices', '--json']);
    assert.deepEqual(flags((await run('list', '--help')).stdout).slice(0, 2), ['--language', '--search']);
  });

  it('uses the data folder of Node-RED in its user directory', async () => {
    const nodeRed = path.join(data, 'node-red');
    await mkdir(path.join(nodeRed, 'node_modules', '@herald-speech', 'node-red'), { recursive: true });
    const { stdout } = await runCommand(['voices', 'list'], { folder: nodeRed });
    assert.equal(stdout, `No natural voice is installed in ${path.join(nodeRed, 'herald', 'voices')}.\n`);
  });
});
