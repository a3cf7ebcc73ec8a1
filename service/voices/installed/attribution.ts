import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fieldIn } from './card-field.js';
import type { InstalledVoice } from './installed-voice.js';
import { fileNamesOf } from './voice-name.js';

/** Author, address and version of a voice. */
export interface Attribution {
  author: string;
  /** Blank if unknown. */
  url: string;
  version: string;
}

const MAX_AUTHOR = 200;
/** Hexadecimal digits of the model's digest that make up a version. */
const VERSION_DIGITS = 12;

/**
 * Returns the author and the address that the model card of a voice states, or else those of the repository that it came from. The
 * version is the start of the digest of the model, because the repository has no versions of voices.
 */
export function attributionOf({ name, folder, record }: InstalledVoice): Attribution {
  const { model, card: cardName } = fileNamesOf(name);
  const card = record.files[cardName] === undefined ? '' : textOf(path.join(folder, cardName));
  const source = URL.canParse(record.source) ? new URL(record.source) : undefined;
  const address = /^https?:\/\/\S{1,500}/u.exec(fieldIn(card, /url|source/u) ?? '')?.[0];
  const author = fieldIn(card, /authors?|creators?|speaker/u) ?? repositoryOf(source) ?? 'unknown author';
  return {
    author: author.slice(0, MAX_AUTHOR),
    url: address ?? (source?.protocol.startsWith('http') === true ? source.href : ''),
    version: record.files[model]?.sha256.slice(0, VERSION_DIGITS) ?? '',
  };
}

/** Returns the first two names in the path of a repository, such as `OWNER/REPOSITORY`, or the host of another source. */
function repositoryOf(source: URL | undefined): string | undefined {
  if (source === undefined || !source.protocol.startsWith('http')) return undefined;
  const [owner, repository] = source.pathname.split('/').filter((part) => part !== '');
  return owner === undefined || repository === undefined ? source.hostname : `${owner}/${repository}`;
}

/** A voice without its card speaks as well. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
