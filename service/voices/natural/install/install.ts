import { constants, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NaturalVoiceError } from '../../installed/errors.js';
import { type InstalledVoice, readVoice } from '../../installed/installed-voice.js';
import { type Consent, type FileRecord, type InstallRecord, RECORD } from '../../installed/record.js';
import { MAX_CONFIG_BYTES, parseConfig, readConfig } from '../../installed/voice-config.js';
import { checkVoiceName, fileNamesOf, namesInPath } from '../../installed/voice-name.js';
import type { ExpectedFile, VoiceSource } from '../transfer/voice-source.js';
import { checkSpace, publishDraft } from './disk.js';
import { removeVoiceLeftovers } from './leftovers.js';
import { placesOf } from './places.js';
import { DraftFiles } from './draft-files.js';
import { voiceProblems } from './problems.js';
import { withVoiceLock } from './voice-lock.js';
import type { InstallControl } from './install-control.js';

/** The fields of a catalogue entry that an installation uses. */
export interface VoiceEntry extends Pick<
  InstallRecord,
  'name' | 'language' | 'region' | 'quality' | 'title' | 'gender'
> {
  /** Model, config and model card, with their paths in the voice repository. */
  files: readonly (ExpectedFile & { path: string })[];
}

export interface InstallRequest {
  folder: string;
  entry: VoiceEntry;
  source: VoiceSource;
  consent: Consent;
  work: InstallControl;
}

/**
 * Downloads a voice into a draft, checks it, and publishes it by one rename. A whole voice of the same version is kept.
 * After a failure of the network and after an abort, the draft remains for a week, and the next installation continues it.
 * @throws NaturalVoiceError
 */
export function installFromSource(installation: InstallRequest): Promise<InstalledVoice> {
  const { folder, entry, work } = installation;
  const name = checkVoiceName(entry.name);
  const { final, draft } = placesOf(folder, name);
  const files = filesOf(entry);
  return withVoiceLock(folder, name, work.signal, async () => {
    await removeVoiceLeftovers(folder);
    if (await isInstalled(final, files, installation)) return readVoice(final);
    try {
      await mkdir(draft, { recursive: true });
      await copyModel(final, draft, fileNamesOf(name).model, files.model.bytes);
      await fillDraft(installation, draft, files);
      work.signal.throwIfAborted();
      await publishDraft(folder, name);
      return readVoice(final);
    } catch (error) {
      if (!canContinue(error, work.signal)) await rm(draft, { recursive: true, force: true });
      throw error;
    }
  });
}

type EntryFile = VoiceEntry['files'][number];
type EntryFiles = Record<'model' | 'config', EntryFile> & { card: EntryFile | undefined };

/** Returns the files of an entry by kind. A catalogue cannot name other files. @throws NaturalVoiceError `invalid` */
function filesOf({ name, files }: VoiceEntry): EntryFiles {
  const find = (file: string) =>
    files.find((one) => namesInPath(one.path).at(-1)?.normalize() === file.normalize());
  const names = fileNamesOf(name);
  const [model, config, card] = [find(names.model), find(names.config), find(names.card)];
  const isRight = model !== undefined && config !== undefined && config.bytes <= MAX_CONFIG_BYTES;
  if (isRight) return { model, config, card };
  const limit = `${MAX_CONFIG_BYTES / 1e6} MB`;
  const rule = `expected the files ${names.model} and ${names.config}, a config of ${limit} at most. Refresh the catalogue`;
  throw new NaturalVoiceError('invalid', `${name}: ${rule}`);
}

/** Returns whether the same version is installed without damage, with the same model card. */
async function isInstalled(
  final: string,
  { model, config }: EntryFiles,
  installation: InstallRequest,
): Promise<boolean> {
  try {
    const { record, name } = readVoice(final);
    const names = fileNamesOf(name);
    const isSame =
      record.files[names.model]?.md5 === model.md5 &&
      record.files[names.config]?.md5 === config.md5 &&
      record.consent.cardSha256 === installation.consent.cardSha256;
    return isSame && (await voiceProblems(final, installation.work.signal)).length === 0;
  } catch {
    installation.work.signal.throwIfAborted();
    return false; // The voice is missing or damaged.
  }
}

/** Copies the model of an installed voice: a new model card needs no second download of the model. */
async function copyModel(final: string, draft: string, file: string, bytes: number): Promise<void> {
  const [from, to] = [path.join(final, file), path.join(draft, file)];
  const { size } = await stat(from).catch(() => ({ size: -1 }));
  const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants;
  // The draft's files are checked later. Without the copy, the model is downloaded.
  if (size === bytes) await copyFile(from, to, COPYFILE_EXCL + COPYFILE_FICLONE).catch(() => undefined);
}

/** Fills the draft, small files first: they show most problems before the download of the model. */
async function fillDraft(installation: InstallRequest, draft: string, files: EntryFiles): Promise<void> {
  const { folder, entry, work } = installation;
  const names = fileNamesOf(entry.name);
  const total = entry.files.reduce((sum, { bytes }) => sum + bytes, 0);
  work.onProgress({ phase: 'card', bytes: 0, total });
  const parts = new DraftFiles(draft, installation, total);
  await checkSpace(folder, entry.name, total - (await sizeOf(draft)));
  if (files.card !== undefined) await parts.card(files.card.path, names.card);
  await parts.download(files.config, names.config);
  const config = await readFile(path.join(draft, names.config), 'utf8');
  readConfig(parseConfig(config, entry.name), entry.name);
  await parts.download(files.model, names.model);
  work.onProgress({ phase: 'check', bytes: total, total });
  await removeOthers(draft, Object.keys(parts.records));
  const record = JSON.stringify(recordOf(installation, parts.records), undefined, 2);
  await writeFile(path.join(draft, RECORD), record, { flush: true });
}

/** Removes the files of an earlier version. */
async function removeOthers(draft: string, names: readonly string[]): Promise<void> {
  const others = (await readdir(draft)).filter((name) => !names.includes(name));
  await Promise.all(others.map((name) => rm(path.join(draft, name), { recursive: true, force: true })));
}

/** Returns the bytes of the files in a folder. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map((name) => stat(path.join(folder, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

function recordOf(
  { entry, source, consent }: InstallRequest,
  files: Record<string, FileRecord>,
): InstallRecord {
  const { name, language, region, quality, title, gender } = entry;
  const { licence, isNonCommercial, cardSha256, at } = consent;
  const facts = { name, language, region, quality, title, gender, licence, isNonCommercial };
  return {
    ...facts,
    source: source.address,
    installedAt: new Date().toISOString(),
    files,
    consent: { licence, cardSha256, at },
  };
}

/** A failure of the network and an abort leave a draft that the next installation continues. */
const canContinue = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || (error instanceof NaturalVoiceError && error.kind === 'network');
