import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { withTimeLimit } from '../../output/files/time-limit.js';
import { FileWriter } from '../../output/files/file-writer.js';
import { checkWritable, statsOf, withErrors } from '../../output/files/files.js';
import { foldersOf, isAsMade, modifiedMs, promptPath } from './check-file.js';
import type { Manifest } from './manifest.js';
import type { PromptFile } from './prompt-file.js';

const never = new AbortController().signal;

/** A prompt that was just made. The other fields of `PromptFile` follow from the data. */
interface NewPrompt extends Omit<PromptFile, 'bytes' | 'sha256' | 'modifiedMs' | 'madeAt'> {
  /** The complete audio file. */
  data: Uint8Array;
}

/** The folder of a run and its manifest. */
interface PromptFolder {
  /** Absolute path. */
  folder: string;
  manifest: Manifest;
}

/**
 * Writes a prompt file completely or not at all, and adds it to the manifest. Creates the folders of the file.
 * @throws SpeechError `bad-request`, `timed-out`, or the reason of the signal. The earlier file and its entry then stay.
 */
export async function savePrompt(
  { folder, manifest }: PromptFolder,
  { data, ...prompt }: NewPrompt,
  signal: AbortSignal,
): Promise<PromptFile> {
  await makeFolders({ folder, manifest }, prompt.filename, signal);
  const writer = new FileWriter({ file: promptPath(folder, prompt.filename), root: folder }, signal);
  const former = manifest.get(prompt.filename);
  const made = { ...prompt, bytes: data.length, sha256: sha256Of(data), modifiedMs: 0, madeAt: '' };
  try {
    const temporary = await writer.open();
    await writer.append(data);
    // The line comes before the name: after a kill between the two, the plan sees that the file is not the one of the line.
    // A file without a line would be made and paid a second time.
    await writer.finish(new Uint8Array(), async () => {
      made.modifiedMs = modifiedMs(await stat(temporary));
      made.madeAt = new Date().toISOString();
      await manifest.add(made);
    });
  } catch (error) {
    await writer.discard();
    await restore({ folder, manifest }, made, former);
    throw error;
  }
  return made;
}

const sha256Of = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Restores the entry of a file that was not written. Without it, the next plan still compares the file with its entry. */
async function restore(
  { folder, manifest }: PromptFolder,
  made: PromptFile,
  former: PromptFile | undefined,
): Promise<void> {
  const { filename } = made;
  if (manifest.get(filename) === former) return;
  const file = promptPath(folder, filename);
  // A stop can come while the file gets its name.
  const isWritten = await withTimeLimit(file, never, (limit) => isAsMade(file, made, limit)).catch(
    () => false,
  );
  if (isWritten) return;
  const restored = former === undefined ? manifest.remove([filename]) : manifest.add(former);
  await restored.catch(() => undefined);
}

/** Creates the missing folders of a file, and notes them in the manifest. */
async function makeFolders({ folder, manifest }: PromptFolder, filename: string, signal: AbortSignal) {
  const file = promptPath(folder, filename);
  const missing: string[] = [];
  for (const name of foldersOf(filename)) {
    const inner = path.join(folder, name);
    const found = await withErrors(inner, () => withTimeLimit(inner, signal, () => statsOf(inner)));
    if (found === undefined) missing.push(name);
  }
  if (missing.length === 0) return;
  await checkWritable({ file, root: folder }, signal, true);
  for (const name of missing) await manifest.addFolder(name);
}
