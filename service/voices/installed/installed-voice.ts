import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isErrno } from '@herald-speech/client/files';
import { NaturalVoiceError } from './errors.js';
import { type InstallRecord, readRecord, RECORD } from './record.js';
import { MAX_CONFIG_BYTES, readConfig, type VoiceConfig } from './voice-config.js';
import { fileNamesOf } from './voice-name.js';

/** A complete voice on disk. */
export interface InstalledVoice {
  name: string;
  folder: string;
  /** Path of the model. */
  model: string;
  config: VoiceConfig;
  record: InstallRecord;
}

/**
 * Reads the voice in a folder. Checks record, sizes and config, but no digests.
 * @throws NaturalVoiceError or an error of the file system, if the voice is incomplete or damaged
 */
export function readVoice(folder: string): InstalledVoice {
  const name = path.basename(folder);
  const record = readRecord(readJson(path.join(folder, RECORD)), name);
  for (const [file, { bytes }] of Object.entries(record.files)) checkSize(path.join(folder, file), bytes);
  const { model, config } = fileNamesOf(record.name);
  return {
    name: record.name,
    folder,
    model: path.join(folder, model),
    config: readConfig(readJson(path.join(folder, config)), record.name),
    record,
  };
}

function checkSize(file: string, expected: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === expected) return;
  if (size === undefined) throw missing(file);
  const message = `${file} has ${size} bytes, expected ${expected}: install the voice again`;
  throw new NaturalVoiceError('digest', message);
}

/** Another user may write to a shared folder: a pipe or a huge file must not stop the service. */
function readJson(file: string): unknown {
  try {
    const stats = statSync(file);
    if (!stats.isFile() || stats.size > MAX_CONFIG_BYTES)
      throw new NaturalVoiceError('invalid', `${file}: expected a file of ${MAX_CONFIG_BYTES} bytes at most`);
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) throw missing(file);
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new NaturalVoiceError('invalid', `${file}: not JSON. Install the voice again`, { cause });
  }
}

/** Files that a user copied into the folder have no record, because an import checks them. */
function missing(file: string): NaturalVoiceError {
  const fix = `Install the voice again, or import its files with "herald-service voices import FOLDER"`;
  return new NaturalVoiceError('digest', `${file} is missing. ${fix}`);
}
