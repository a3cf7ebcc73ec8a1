import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import readline from 'node:readline';
import { z } from 'zod';
import { CLI } from '../support/cli.js';
import { useFolder } from '../support/folder.js';
import { withVoiceMirror } from '../support/natural/voice-mirror.js';
import { writeRepository } from '../support/natural/voice-repository.js';
import { openToOthers } from '../support/open-to-others.js';
import { fromProgram, spawned } from '../support/spawned.js';
import { form, sample } from './voices/clones/clone-form.js';
import { modelIn, seedMeasurement } from './voices/natural/catalogue/support.js';

const NAME = 'de_DE-stub-medium';
const OPEN = ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, CLI];
const connection = z.object({ url: z.string(), key: z.string() });

describe('the files of the local service', () => {
  const folder = useFolder();
  const data = () => folder('data');
  const children: ChildProcess[] = [];
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => end(child)));
  });

  /** Runs the program as a user with `umask 0`, whose files are open unless the program closes them. */
  function start(...words: string[]) {
    const child = spawned(
      spawn('sh', [...OPEN, ...words, '--data', data()], { stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    children.push(child);
    return child;
  }

  async function serve() {
    const child = start('--port', '0', '--json', '--quiet');
    const [line]: unknown[] = await fromProgram(child, once(readline.createInterface(child.stdout), 'line'));
    return { child, ...connection.parse(JSON.parse(String(line))) };
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill();
    await ended;
  }

  async function run(...words: string[]): Promise<void> {
    const [code]: unknown[] = await once(start(...words), 'exit');
    assert.equal(code, 0, words.join(' '));
  }

  async function installVoice(): Promise<void> {
    await writeRepository(folder('repository'), [{ name: NAME, licence: 'CC0' }]);
    seedMeasurement(data(), modelIn(folder('repository'), NAME));
    await chmod(folder('data', 'measurements', `${NAME}.json`), 0o600); // This test wrote the file.
    await withVoiceMirror(folder('repository'), async ({ url }) => {
      await run('voices', 'refresh', '--mirror', url);
      await run('voices', 'install', 'stub', '--yes', '--mirror', url);
    });
  }

  it('belong to its user alone: database, lock, key, clones, natural voices and measurements', async () => {
    await installVoice();
    const { url, key } = await serve();
    const headers = { 'x-sup-api-key': key };
    const body = form({ files: sample(), name: 'Mine' });
    const cloned = await fetch(`${url}/v1/custom-voices/cloned-voice`, { method: 'POST', headers, body });
    assert.equal(cloned.status, 200, await cloned.text());
    const spoken = await fetch(`${url}/v1/text-to-speech/rms`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello.', language: 'en' }),
    });
    assert.equal(spoken.status, 200);
    const names = await readdir(data());
    for (const name of [
      'key',
      'herald.sqlite',
      'herald.sqlite.lock',
      'natural-catalogue.json',
      'measurements',
    ])
      assert.ok(names.includes(name), names.join());
    assert.equal((await readdir(folder('data', 'clones'))).length, 1);
    assert.ok((await readdir(folder('data', 'voices', NAME))).includes(`${NAME}.onnx`));
    assert.deepEqual(openToOthers(data()), []);
  });

  it('lose the rights of other users at the start, and files of the user keep theirs', async () => {
    const first = await serve();
    await end(first.child);
    for (const name of ['.', ...(await readdir(data(), { recursive: true }))])
      await chmod(folder('data', name), 0o777);
    const second = await serve();
    // A closed folder hides its content.
    assert.deepEqual(
      openToOthers(data()).filter((place) => !place.includes('/')),
      [],
    );
    await end(second.child);
    for (const name of ['audio', 'photos']) {
      await mkdir(folder('data', name));
      await writeFile(folder('data', name, 'file'), '');
      await chmod(folder('data', name), 0o755);
      await chmod(folder('data', name, 'file'), 0o644);
    }
    await writeFile(folder('data', 'key.pem'), '');
    await chmod(folder('data', 'key.pem'), 0o644);
    await chmod(data(), 0o755);
    await chmod(folder('data', 'key'), 0o644);
    await serve();
    const left = ['. 755', 'audio 755', 'audio/file 644', 'key.pem 644', 'photos 755', 'photos/file 644'];
    assert.deepEqual(
      openToOthers(data())
        .filter((place) => !place.startsWith('clones/'))
        .toSorted(),
      left,
    );
    assert.equal((await stat(folder('data', 'key'))).mode & 0o777, 0o600);
  });
});
