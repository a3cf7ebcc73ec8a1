import type { Text } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';

/** Maximum length of a file or folder name in bytes on the common file systems. */
const MAX_NAME_BYTES = 255;
/** Maximum length of the whole path in bytes, which leaves room for the path of the folder. */
const MAX_PATH_BYTES = 1000;
/** Characters that Windows forbids in names, or that terminals and editors do not show. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"|?*]/u;
/** An absolute path, a path of a drive, or a path in the user's folder. */
const ABSOLUTE = /^(?:\/|[a-z]:|~\/)/i;
/** Names of devices on Windows, also with an extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(?:\.|$)/i;
const EXTENSION = /\.([a-z][a-z\d]{0,4})$/i;

/** A path, or the rule that a name breaks. */
type FileName = { path: string; rule?: undefined } | { path?: undefined; rule: Text };

/**
 * Returns the relative path of a prompt file: in Unicode form NFC, with `/` between its names, and with an extension. The
 * path cannot leave the folder on any operating system.
 * @param name not empty
 * @param extension without a dot. Undefined: unknown, so any extension fits
 */
export function readFileName(name: string, extension: string | undefined): FileName {
  const slashed = name
    .normalize('NFC')
    .trim()
    .replaceAll('\\', '/')
    .replace(/^\.\/+\s*/, '');
  if (ABSOLUTE.test(slashed)) return { rule: say('rule-name-inside') };
  const names = slashed.split(/\/+/);
  const path = withExtension(names.join('/'), extension);
  const rule = ruleOfNames(names) ?? ruleOfPath(path, extension);
  return rule === undefined ? { path } : { rule };
}

function ruleOfNames(names: readonly string[]): Text | undefined {
  const folders = names.slice(0, -1);
  if (
    (names.at(-1) ?? '') === '' ||
    folders.some((folder) => /[. ]$/.test(folder) && !folder.startsWith('.'))
  )
    return say('rule-name-end');
  if (names.some((name) => name.startsWith('.'))) return say('rule-name-dot');
  const [character] = FORBIDDEN.exec(names.join('')) ?? [];
  if (character !== undefined) return say('rule-name-characters', { character: visible(character) });
  const device = names.find((name) => DEVICE.test(name));
  return device === undefined ? undefined : say('rule-name-device', { name: JSON.stringify(device) });
}

/** Returns a character, or the code point of a character that is not shown. */
const visible = (character: string): string =>
  /[\x20-\x7E]/.test(character)
    ? character
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

function ruleOfPath(path: string, extension: string | undefined): Text | undefined {
  if (path.split('/').some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    return say('rule-name-long', { limit: MAX_NAME_BYTES });
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return say('rule-name-long', { limit: MAX_PATH_BYTES });
  const [, given = ''] = EXTENSION.exec(path) ?? [];
  if (extension === undefined || given.toLowerCase() === extension.toLowerCase()) return undefined;
  return say('rule-name-extension', { extension });
}

const withExtension = (path: string, extension: string | undefined): string =>
  extension === undefined || EXTENSION.test(path) ? path : `${path}.${extension}`;

/** Returns a key that is equal for two paths of the same file on a file system that ignores case, or NFC and NFD. */
export const fileKey = (path: string): string => path.normalize('NFC').toLowerCase();

/** The files of a table, which must have different names on all file systems. */
export class FileNames {
  /** The row of each file, and the first row with a file in each folder. */
  private readonly files = new Map<string, number>();
  private readonly folders = new Map<string, number>();

  /** Adds the file of a row. Returns the broken rule if an earlier row has the same file. */
  add(path: string, row: number): Text | undefined {
    const key = fileKey(path);
    const folders = foldersOf(key);
    const same = this.files.get(key);
    if (same !== undefined) return say('rule-file-twice', { row: same });
    const folder = this.folders.get(key) ?? folders.map((name) => this.files.get(name)).find(Boolean);
    if (folder !== undefined) return say('rule-file-folder', { row: folder });
    this.files.set(key, row);
    for (const name of folders) if (!this.folders.has(name)) this.folders.set(name, row);
    return undefined;
  }
}

/** Returns the paths of all folders of a file: `a` and `a/b` for `a/b/c.wav`. */
const foldersOf = (key: string): string[] =>
  Array.from(key.matchAll(/\//g), ({ index }) => key.slice(0, index));
