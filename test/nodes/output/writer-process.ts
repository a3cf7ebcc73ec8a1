/** A process that writes audio until it is killed, or until the disk is full. Arguments: `forever` or `once`, a folder. */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { RecordingStore } from '../../../nodes/output/urls/recording-store.js';
import type { RenderedAudio } from '../../../nodes/output/rendered-audio.js';
import { checkWritable } from '../../../nodes/output/files/files.js';
import { writeFileOf } from '../../../nodes/output/to-file.js';
import { publish } from '../../../nodes/output/urls/to-url.js';
import { headerOf } from './speaking.js';
import { never } from '../../support/waiting.js';

const PARTS = 20;
const [mode, folder = ''] = process.argv.slice(2);
const store = new RecordingStore(path.join(folder, 'audio'));

/** Returns audio whose bytes all have the value of the version. */
function audio(version: number, partBytes: number): RenderedAudio<{ count: number }> {
  async function* parts() {
    for (let index = 0; index < PARTS; index += 1) {
      const data = Buffer.alloc(partBytes, version % 256);
      yield { piece: { count: PARTS }, data, start: 0, duration: 1 };
    }
  }
  return { extension: 'wav', parts: parts(), header: headerOf };
}

async function toFile(version: number, partBytes: number): Promise<void> {
  const place = { file: path.join(folder, 'speech.wav') };
  await checkWritable(place, never);
  await writeFileOf(audio(version, partBytes), place, never);
}

async function toUrl(version: number, partBytes: number): Promise<void> {
  for await (const _url of publish(audio(version, partBytes), { store, base: '' }, 'first', never));
}

async function forever(): Promise<void> {
  await store.check(never);
  process.stdout.write('ready\n');
  for (let version = 0; ; version += 1) {
    await toFile(version, 20_000);
    await toUrl(version, 20_000);
  }
}

/** Writes more than the disk holds, then a short file. Prints the errors and all names. */
async function once(): Promise<void> {
  await store.check(never);
  const errors: string[] = [];
  for (const write of [toFile, toUrl]) {
    await write(1, 1_000_000).catch((error: unknown) => errors.push(String(error)));
  }
  await mkdir(path.join(folder, 'more'));
  await toFile(2, 1000);
  const names = await readdir(folder, { recursive: true });
  process.stdout.write(JSON.stringify({ errors, names: names.sort() }));
}

void (mode === 'forever' ? forever() : once());
