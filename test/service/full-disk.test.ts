import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { inspectAudio, operations } from '@herald-speech/client';
import { describeWith } from '../support/programs/describe-with.js';
import { CLI } from '../support/cli.js';
import { toneFile } from '../support/service/service.js';
import { kill, useDataFolder } from './accounts/store/support.js';
import { fromProgram, spawned } from '../support/spawned.js';

/** Mounts a file system of 4 MB in a namespace of the child, which needs no rights. Then runs the other arguments. */
const MOUNT = 'mount -t tmpfs -o size=4m,mode=700 tmpfs "$0" && exec "$@"';
const FILLER = 'filler';

describeWith(['unshare'], 'the service on a full disk', () => {
  const data = useDataFolder();
  let child: ChildProcess;
  let url = '';
  let key = '';
  let log: string[] = [];
  /** The data folder, as the child sees it. */
  const inside = (...names: string[]) => path.join(`/proc/${child.pid}/root`, data.folder(), ...names);

  beforeEach(async () => {
    const service = [process.execPath, CLI, '--port', '0', '--data', data.folder(), '--json'];
    child = spawned(
      spawn('unshare', ['-rm', 'sh', '-c', MOUNT, data.folder(), ...service, '--log-level', 'error']),
      'util-linux',
    );
    log = [];
    assert.ok(child.stdout && child.stderr);
    readline.createInterface(child.stderr).on('line', (line) => log.push(line));
    const first = Promise.race([
      once(readline.createInterface(child.stdout), 'line'),
      once(child, 'close').then(() => assert.fail(`needs user namespaces: ${log.join()}`)),
    ]);
    const [line]: unknown[] = await fromProgram(child, first);
    ({ url, key } = z.object({ url: z.string(), key: z.string() }).parse(JSON.parse(String(line))));
  });
  afterEach(() => kill(child));

  const send = (method: string, where: string, body?: FormData | object) => {
    const isForm = body instanceof FormData;
    const headers = { 'x-sup-api-key': key, ...(!isForm && { 'content-type': 'application/json' }) };
    const content = isForm ? body : JSON.stringify(body);
    return fetch(url + where, { method, headers, ...(body && { body: content }) });
  };
  const speak = (where = '/v1/text-to-speech/rms') =>
    send('POST', where, { text: 'Dinner is ready.', language: 'en', model: 'main_speech_1' });
  const clone = async (seconds: number) => {
    const form = new FormData();
    form.append('name', 'Me');
    form.append('files', new Blob([toneFile(140, seconds)]), 'me.wav');
    return send('POST', '/v1/custom-voices/cloned-voice', form);
  };
  const idOf = async (reply: Response) =>
    z.object({ voice_id: z.string() }).parse(await reply.json()).voice_id;

  const usedSeconds = async () => {
    const today = new Date().toISOString().slice(0, 10);
    const range = `start_date=${today}&end_date=${today}`;
    const reply = await send('GET', `/v1/voice-usage?${range}`);
    const { usages } = operations.getVoiceUsage.response.parse(await reply.json());
    return 60 * usages.reduce((sum, { total_minutes_used }) => sum + total_minutes_used, 0);
  };

  it('speaks for the account without limits, and records the usage when the disk has space again', async () => {
    fillDisk(inside(FILLER));
    let seconds = 0;
    for (let count = 0; count < 20; count += 1) {
      const reply = await speak(count % 2 ? '/v1/text-to-speech/rms/stream' : undefined);
      assert.equal(reply.status, 200);
      const { duration } = inspectAudio(new Uint8Array(await reply.arrayBuffer()));
      assert.ok(duration > 0.5);
      seconds += duration;
    }
    assert.equal(log.length, 1, log.join('\n'));
    assert.match(
      log[0] ?? '',
      /usage not yet recorded, .* in 1 request: .*the disk is full: free some space/,
    );
    assert.equal(await usedSeconds(), 0);
    rmSync(inside(FILLER));
    const reply = await speak();
    seconds += inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration;
    assert.ok(Math.abs((await usedSeconds()) - seconds) < 0.1, `${await usedSeconds()} of ${seconds} s`);
    assert.equal(log.length, 1, log.join('\n'));
  });

  it('logs the sum of the usage that it could not record, when it closes on a full disk', async () => {
    fillDisk(inside(FILLER));
    for (let count = 0; count < 5; count += 1) await (await speak()).arrayBuffer();
    child.kill('SIGTERM');
    await once(child, 'close');
    assert.match(log.at(-1) ?? '', /usage lost, .* in 5 requests: .*the disk is full/);
  });

  it('deletes custom voices, revokes keys, and keeps no unfinished file', async () => {
    const ids = [await idOf(await clone(2)), await idOf(await clone(2)), await idOf(await clone(2))];
    const made = await send('POST', '/console/api/keys');
    const { id } = z.object({ id: z.string() }).parse(await made.json());
    fillDisk(inside(FILLER));
    assert.equal((await send('DELETE', `/console/api/keys/${id}`)).status, 204);
    for (const id of ids) {
      fillDisk(inside(`${FILLER}-${id}`));
      const reply = await send('DELETE', `/v1/custom-voices/${id}`);
      assert.equal(reply.status, 204, await reply.text());
    }
    assert.deepEqual(readdirSync(inside('clones')), []);
  });

  it('replies with the cause to a new custom voice, and keeps no unfinished file', async () => {
    fillDisk(inside(FILLER));
    const reply = await clone(2);
    assert.equal(reply.status, 500);
    assert.match(await reply.text(), /the disk of the service is full: free some space/);
    assert.deepEqual(readdirSync(inside('clones')), []);
  });
});

/** Starts and stops a service, runs "$0", fills the disk, and starts the service again. */
const RESTART = `
  "$@" </dev/null; cd "$HERALD_DATA"; eval "$0"; head -c 8m /dev/zero >filler 2>/dev/null
  "$@" </dev/null; status=$?; ls; exit $status`;

describeWith(['unshare'], 'the start of the service on a full disk', () => {
  const data = useDataFolder();
  const restart = async (before: string) => {
    const service = [process.execPath, CLI, '--port', '0', '--json', '--watch-stdin'];
    const args = ['-rm', 'sh', '-c', MOUNT, data.folder(), 'sh', '-c', RESTART, before, ...service];
    const child = spawned(
      spawn('unshare', args, { env: { ...process.env, HERALD_DATA: data.folder() } }),
      'util-linux',
    );
    const closed = once(child, 'close');
    const output = Promise.all([text(child.stdout), text(child.stderr), closed]);
    const [stdout, stderr, [code]] = await fromProgram(child, output);
    const lines = stdout.trim().split('\n');
    return {
      code: Number(code),
      stderr,
      printed: lines.filter((line) => line.startsWith('{')),
      files: lines,
    };
  };

  it('replaces a lost key, because it keeps some space for this purpose', async () => {
    const { code, stderr, printed, files } = await restart('rm key');
    assert.equal(code, 0, stderr);
    assert.equal(new Set(printed).size, 2);
    assert.ok(files.includes('key'));
    assert.deepEqual(
      files.filter((name) => name.startsWith('key.')),
      [],
    );
  });

  it('names the file, the cause and the fix if no space is left, and keeps no draft', async () => {
    const { code, stderr, files } = await restart('rm key herald.sqlite-reserve');
    assert.equal(code, 1);
    assert.match(stderr, /^herald-service: \S+\/key: the disk is full: free some space/m);
    assert.deepEqual(
      files.filter((name) => name.startsWith('key')),
      [],
    );
  });
});

/** Writes a file until the disk has no free byte. */
function fillDisk(file: string): void {
  const handle = openSync(file, 'a');
  try {
    for (const size of [65_536, 4096, 1]) {
      for (let isFull = false; !isFull;) isFull = !tryWrite(handle, size);
    }
  } finally {
    closeSync(handle);
  }
}

function tryWrite(handle: number, size: number): boolean {
  try {
    return writeSync(handle, Buffer.alloc(size, 1)) > 0;
  } catch (error) {
    assert.match(String(error), /ENOSPC/);
    return false;
  }
}
