import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inspectAudio, parseWav, z } from '@herald-speech/client';
import { RecordingStore } from '../../../nodes/output/urls/recording-store.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { loadTypescript } from '../../support/run-typescript.js';
import { spawned } from '../../support/spawned.js';

const WRITER = path.join(__dirname, 'writer-process.ts');
const KILLS = 3;

/** Fails unless a file is a complete WAV whose bytes all have the same value. */
async function assertWhole(file: string): Promise<void> {
  const bytes = await readFile(file);
  inspectAudio(bytes);
  const { data, streaming } = parseWav(bytes);
  assert.equal(streaming, false);
  assert.equal(data.length, 400_000);
  assert.ok(data.every((value) => value === data[0]));
}

describe('a process that is killed while it writes audio', () => {
  const folder = useDataFolder();

  it('leaves the file and the URLs complete or missing, in a loop of kill -9, and its leftovers are removed', async () => {
    const files = path.join(folder(), 'audio');
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = spawned(spawn(process.execPath, [...loadTypescript, WRITER, 'forever', folder()]));
      const ended = once(child, 'close');
      await once(child.stdout, 'data');
      await sleep(20 + 70 * kill);
      child.kill('SIGKILL');
      await ended;
      const names = await readdir(folder());
      // The next process removes the unfinished file of the process before.
      assert.ok(names.filter((name) => name.endsWith('.part')).length <= 1);
      if (names.includes('speech.wav')) await assertWhole(path.join(folder(), 'speech.wav'));
      const complete = (await readdir(files)).filter((name) => name.endsWith('.wav'));
      for (const name of complete.slice(0, 20)) await assertWhole(path.join(files, name));
    }
    await new RecordingStore(files).find(`${'a'.repeat(40)}.wav`);
    const names = await readdir(files);
    assert.ok(names.length > 0 && names.every((name) => name.endsWith('.wav')));
  }).timeout(120_000);
});

/** Mounts a file system of 4 MB in a namespace of the child, which needs no rights. Then runs the other arguments. */
const MOUNT = 'mount -t tmpfs -o size=4m,mode=700 tmpfs "$0" && exec "$@"';

describeWith(['unshare'], 'a disk that becomes full while audio is written', function () {
  const folder = useDataFolder();

  it('ends the message with a clear error, removes the unfinished file, and accepts the next one', async () => {
    const disk = path.join(folder(), 'disk');
    await mkdir(disk);
    const writer = [process.execPath, ...loadTypescript, WRITER, 'once', disk];
    const { stdout } = await promisify(execFile)('unshare', ['-rm', 'sh', '-c', MOUNT, disk, ...writer]);
    const { errors, names } = z
      .object({ errors: z.array(z.string()), names: z.array(z.string()) })
      .parse(JSON.parse(stdout));
    assert.equal(errors.length, 2);
    for (const error of errors)
      assert.match(error, /file ".*": the disk is full: free some space, then send/);
    assert.deepEqual(names, ['audio', 'more', 'speech.wav']);
  });
});
