import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isErrno } from '@herald-speech/client/files';
import { z } from 'zod';
import { parseName, titleOf } from '../catalogue/catalogue.js';
import { MAX_CARD, type ParsedModelCard, parseModelCard } from '../catalogue/model-card.js';
import { asNaturalVoiceError, NaturalVoiceError } from '../../installed/errors.js';
import type { InstalledVoice } from '../../installed/installed-voice.js';
import { type Consent, qualities } from '../../installed/record.js';
import { type FilePart, FolderSource, sourceError } from '../transfer/folder-source.js';
import { wrongDigest } from '../transfer/part-file.js';
import { MAX_CONFIG_BYTES, parseConfig } from '../../installed/voice-config.js';
import { checkVoiceName, fileNamesOf } from '../../installed/voice-name.js';
import { filesInArchive } from './archive.js';
import { installFromSource, type VoiceEntry } from './install.js';
import type { InstallControl } from './install-control.js';

export interface ImportOptions extends InstallControl {
  /** Returns the entry of the catalogue. Its sizes and digests apply to the imported files. */
  entryOf?(name: string): KnownVoice | undefined;
}

/** A voice of the catalogue, with its licence as far as it is known without the model card. */
interface KnownVoice extends VoiceEntry {
  licence?: string | null;
  isNonCommercial?: boolean | null;
}

/** A model in a folder, with the other files of its voice. */
interface Found {
  name: string;
  source: FolderSource;
  /** Whether the folder has a model card, and no other voice. */
  hasCard: boolean;
}

/**
 * Copies all voices below a folder or in an archive: NAME.onnx with NAME.onnx.json, and MODEL_CARD if a folder has one voice. A
 * voice without a card has the licence of the catalogue, or else an unknown licence.
 * @throws NaturalVoiceError `no-folder`, `no-voices`, `unreadable`; the first failure, after the other voices were imported
 */
export async function importVoices(
  folder: string,
  from: string,
  options: ImportOptions,
): Promise<InstalledVoice[]> {
  const found = await voicesIn(path.resolve(from));
  if (found.length === 0) {
    const rule = 'expected NAME.onnx and NAME.onnx.json, also in folders below';
    throw new NaturalVoiceError('no-voices', `${from}: no voices, ${rule}`);
  }
  const imported: InstalledVoice[] = [];
  const failures: NaturalVoiceError[] = [];
  for (const voice of found) {
    const work = controlOf(voice.name, options);
    work.onProgress({ phase: 'card', bytes: 0, total: 0 });
    try {
      imported.push(await importVoice(folder, voice, { ...options, ...work }));
    } catch (error) {
      failures.push(asNaturalVoiceError(error, voice.name, options.signal));
      if (options.signal.aborted) break;
    }
  }
  if (failures[0] !== undefined) throw failureOf(failures[0], failures, imported);
  return imported;
}

/** Returns the control of the work for one of several voices. Its progress names the voice. */
export const controlOf = (voice: string, { signal, onProgress }: InstallControl): InstallControl => ({
  signal,
  onProgress: (progress) => onProgress({ ...progress, voice }),
});

function failureOf(
  first: NaturalVoiceError,
  failures: readonly NaturalVoiceError[],
  imported: readonly InstalledVoice[],
): NaturalVoiceError {
  const others = imported.length > 0 ? [`Imported: ${imported.map(({ name }) => name).join(', ')}`] : [];
  const message = [...failures.map((failure) => failure.message), ...others].join('\n');
  return new NaturalVoiceError(first.kind, message, { cause: first });
}

const LEVELS = 6;

/** Returns the models in an archive, or in a folder and in the folders below. Leaves out hidden names and links to folders. */
async function voicesIn(place: string): Promise<Found[]> {
  try {
    if ((await stat(place)).isFile()) return voicesInFiles(place, await filesInArchive(place));
    return await findVoices(place, LEVELS, await readdir(place, { withFileTypes: true }));
  } catch (error) {
    if (error instanceof NaturalVoiceError) throw error;
    if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw sourceError(error, place);
    const fix = 'no such folder or file. Correct its path';
    throw new NaturalVoiceError('no-folder', `${place}: ${fix}`, { cause: error });
  }
}

/** Returns the models among the files of an archive. */
function voicesInFiles(archive: string, files: ReadonlyMap<string, FilePart>): Found[] {
  const folders = new Map<string, Map<string, FilePart>>();
  for (const [file, part] of files) {
    const folder = path.posix.dirname(file);
    const parts = folders.get(folder) ?? new Map<string, FilePart>();
    folders.set(folder, parts.set(path.posix.basename(file), part));
  }
  return [...folders.values()].flatMap((parts) =>
    foundAmong([...parts.keys()], new FolderSource(archive, parts)),
  );
}

function foundAmong(files: readonly string[], source: FolderSource): Found[] {
  const names = files.filter((name) => name.endsWith('.onnx')).map((name) => name.slice(0, -'.onnx'.length));
  const hasCard = names.length === 1 && files.includes(fileNamesOf('').card);
  return names.map((name) => ({ name, source, hasCard }));
}

async function findVoices(folder: string, levels: number, entries: readonly Dirent[]): Promise<Found[]> {
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const files = visible.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  const found = foundAmong(files, new FolderSource(folder));
  for (const entry of levels > 0 ? visible.filter((entry) => entry.isDirectory()) : []) {
    const below = path.join(folder, entry.name);
    // A disk can have folders of the system, which the user may not read.
    const inside = await readdir(below, { withFileTypes: true }).catch(() => []);
    found.push(...(await findVoices(below, levels - 1, inside)));
  }
  return found;
}

async function importVoice(target: string, voice: Found, options: ImportOptions): Promise<InstalledVoice> {
  const name = checkVoiceName(voice.name);
  const { source } = voice;
  const { signal } = options;
  const { model, config, card: cardName } = fileNamesOf(name);
  const content = voice.hasCard ? await source.read(cardName, { maxBytes: MAX_CARD, signal }) : undefined;
  const card = content && parseModelCard(content, name);
  const known = options.entryOf?.(name);
  const files = await filesIn(source, [model, config, ...(card === undefined ? [] : [cardName])], signal);
  if (known !== undefined) checkAgainst(known, files);
  const facts = known ?? factsOf(name, await source.read(config, { maxBytes: MAX_CONFIG_BYTES, signal }));
  const consent = consentWith(card, known);
  return installFromSource({ folder: target, entry: { ...facts, files }, source, consent, work: options });
}

/** A model card without a licence does not lift the limits that the catalogue knows. */
function consentWith(card: ParsedModelCard | undefined, known: KnownVoice | undefined): Consent {
  const isLimited = !card?.licence && known?.isNonCommercial === true;
  return {
    licence: card?.licence ?? known?.licence ?? null,
    isNonCommercial: card?.isNonCommercial === true || isLimited,
    cardSha256: card?.sha256 ?? null,
    at: new Date().toISOString(),
  };
}

type EntryFile = VoiceEntry['files'][number];

/** Returns names, sizes and digests of files. @throws NaturalVoiceError `not-found` for a missing file */
async function filesIn(
  source: FolderSource,
  names: readonly string[],
  signal: AbortSignal,
): Promise<EntryFile[]> {
  const files: EntryFile[] = [];
  for (const name of names) files.push({ path: name, ...(await source.digests(name, signal)) });
  return files;
}

/** Compares model and config with the catalogue. @throws NaturalVoiceError `digest`: a copy can be incomplete */
function checkAgainst(known: VoiceEntry, files: readonly EntryFile[]): void {
  for (const { path: name, ...found } of files.slice(0, 2)) {
    const expected = known.files.find(
      (file) => path.posix.basename(file.path).normalize() === name.normalize(),
    );
    if (expected !== undefined && found.md5 !== expected.md5) throw wrongDigest(name, found, expected);
  }
}

/** The fields of a config that describe the voice. */
const description = z.object({
  language: z.object({ code: z.string(), family: z.string() }).partial().prefault({}),
  audio: z.object({ quality: z.enum(qualities).optional().catch(undefined) }).prefault({}),
  dataset: z.string().min(1).max(200).optional().catch(undefined),
});

/** The language that the interface can name, and that eSpeak or the model may know (docs/interface.md#utterance). */
const LANGUAGE = /^[a-z]{2}$/;

/** Returns the facts about a voice from its name, or else from its config. */
function factsOf(name: string, config: Buffer): Omit<VoiceEntry, 'files'> {
  const parts = parseName(name);
  const json = description.safeParse(parseConfig(config.toString(), name)).data;
  const [family = '', region = ''] = json?.language.code?.split('_') ?? [];
  const language = parts?.language ?? json?.language.family ?? family;
  if (!LANGUAGE.test(language)) {
    const rule = 'expected two letters (ISO 639-1)';
    const fix =
      'Rename the files, for example to de_DE-anna-medium.onnx, or correct language.family in the config';
    throw new NaturalVoiceError('invalid', `${name}: language "${language}" of the voice, ${rule}. ${fix}`);
  }
  return {
    name,
    language,
    region: parts?.region ?? region.slice(0, 20),
    quality: parts?.quality ?? json?.audio.quality ?? 'medium',
    title: parts === undefined ? (json?.dataset ?? name) : titleOf(parts.dataset),
    gender: null,
  };
}
