/**
 * A process that works on a folder of voices: `install-process.ts MODE VOICES [MIRROR ROOT PLACE NAME]`. It reports in lines of
 * JSON. HERALD_TEST_USER is the id of the user that it becomes.
 */
import { appendFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { NaturalVoiceError } from '../../../../service/voices/installed/errors.js';
import { openVoiceSource } from '../../../../service/voices/natural/transfer/open-source.js';
import { VoiceFolder } from '../../../../service/voices/natural/install/voice-folder.js';
import type { InstallProgress } from '../../../../service/voices/natural/install/install-control.js';
import { consentWith, entryOf, testLimits } from './support.js';

/** Writes synchronously, so that a kill cannot lose a report. */
function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

function fillDisk(folder: string): void {
  try {
    for (;;) appendFileSync(path.join(folder, 'filler'), Buffer.alloc(4096, 1));
  } catch {
    // The disk is full.
  }
}

const [, , mode = '', voices = '', mirror = '', root = '', place = '', name = ''] = process.argv;
const folder = new VoiceFolder(voices);

async function install(): Promise<void> {
  const entry = entryOf(root, place, name);
  const onProgress = ({ phase, bytes }: InstallProgress) => {
    if (mode === 'fill' && bytes > 100_000) fillDisk(voices);
    report({ phase, bytes });
  };
  const work = { signal: new AbortController().signal, onProgress };
  await folder.install(entry, openVoiceSource(mirror, testLimits), consentWith(path.join(root, place)), work);
}

async function main(): Promise<void> {
  const user = Number(process.env['HERALD_TEST_USER'] ?? -1);
  if (user >= 0) {
    process.setgroups?.([]);
    process.setgid?.(user);
    process.setuid?.(user);
  }
  report({ started: true });
  if (mode === 'remove') await folder.remove(name);
  else if (mode !== 'list') await install();
  report({ names: folder.list().map((voice) => voice.name), problems: await problems() });
}

const problems = async () => (folder.names().includes(name) ? folder.verify(name) : []);

main().catch((error: unknown) => {
  if (!(error instanceof NaturalVoiceError)) throw error;
  report({ kind: error.kind, message: error.message });
});
