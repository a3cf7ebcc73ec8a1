import { fieldOf, listOf, nameIn, printable, textOf } from '../../base/values.js';
import type { ListedVoice } from '../local-answers.js';

/** A voice of a server. */
export interface WyomingVoice {
  /** The facts that callers see. */
  listed: ListedVoice;
  /** The fields of a request that choose the voice. */
  chosen: { name: string; speaker?: string };
  /** The languages in the spelling of the server, such as `en_US`. */
  tags: readonly string[];
}

/** Maximum number of voices of a server, speakers included. */
const MAX_VOICES = 10_000;
/** UTF-16 code units of a name, a language and a description. */
const MAX = { name: 200, tag: 40, description: 300 } as const;
/** Maximum number of languages of a voice. */
const MAX_LANGUAGES = 100;

/** Separates the name of a voice from the name of one of its speakers. */
const SPEAKER_MARK = '#';

/**
 * Returns the installed voices that an `info` event describes, by their identifiers. Programs and voices that the event does not
 * mark as missing count as installed. A voice of several speakers is listed once for each speaker too.
 */
export function voicesIn(info: unknown): Map<string, WyomingVoice> {
  const voices = new Map<string, WyomingVoice>();
  const present = (value: unknown) => fieldOf(value, 'installed') !== false;
  for (const program of listOf(fieldOf(info, 'tts')).filter(present)) {
    for (const voice of listOf(fieldOf(program, 'voices')).filter(present)) {
      for (const entry of entriesOf(voice)) {
        if (voices.size >= MAX_VOICES) return voices;
        if (!voices.has(entry.listed.voice_id)) voices.set(entry.listed.voice_id, entry);
      }
    }
  }
  return voices;
}

/** Yields a voice, and its speakers if it has several. */
function* entriesOf(voice: unknown): Generator<WyomingVoice> {
  const name = textOf(fieldOf(voice, 'name'));
  if (!isUsable(name)) return;
  const tags = listOf(fieldOf(voice, 'languages')).slice(0, MAX_LANGUAGES).map(textOf).filter(isTag);
  const facts = { ...languagesOf(tags), ...genderOf(voice), ...describedBy(voice) };
  const entry = (chosen: WyomingVoice['chosen'], title: string): WyomingVoice => ({
    listed: { voice_id: identifierOf(chosen), name: title, ...facts },
    chosen,
    tags,
  });
  yield entry({ name }, nameIn(textOf(fieldOf(voice, 'title')).trim() || name));
  const speakers = listOf(fieldOf(voice, 'speakers')).map((speaker) => textOf(fieldOf(speaker, 'name')));
  if (speakers.length < 2) return;
  for (const speaker of speakers.filter(isUsable))
    yield entry({ name, speaker }, `${nameIn(name)} (${nameIn(speaker)})`);
}

/** Returns the gender that a server states. The protocol has no field for it; Herald's local service has one. */
function genderOf(voice: unknown): { gender?: string } {
  const gender = textOf(fieldOf(voice, 'gender')).trim().toLowerCase();
  return GENDER.test(gender) ? { gender } : {};
}

const GENDER = /^[a-z]{1,20}$/;

/**
 * The identifier that stands for the default voice of a server, such as the one that the administrator gave to Piper. It is no
 * identifier of a listed voice, because the name before the mark is blank.
 */
export const SERVER_VOICE = `${SPEAKER_MARK}default`;

/** The default voice as the server describes it: not at all. */
export const serverVoice: ListedVoice = { voice_id: SERVER_VOICE, name: 'Default of the server' };

/** A lone surrogate has no UTF-8 encoding, and `.` and `..` are no identifiers. */
const isUsable = (name: string): boolean =>
  name !== '' && name.length <= MAX.name && !/\p{Cs}|^\.{1,2}$/u.test(name);

const isTag = (tag: string): boolean => tag !== '' && tag.length <= MAX.tag;

/** Returns the author after the description: a licence may ask for the name of the author. */
function describedBy(voice: unknown): { description?: string } {
  const author = textOf(fieldOf(fieldOf(voice, 'attribution'), 'name'));
  const parts = [textOf(fieldOf(voice, 'description')), author].filter((part) => part.trim() !== '');
  const description = printable(parts.join(', '), MAX.description);
  return description === '' ? {} : { description };
}

/** A language, and its region if there is one. `Intl.Locale` takes 14 µs for a tag, and a hostile list has many tags. */
const TAG = /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_]|$)/i;
/** Languages that servers name with three letters. */
const ALIASES: ReadonlyMap<string, string> = new Map([['cmn', 'zh']]);

/** Returns the languages as ISO 639-1 codes, and the first language with a region. */
function languagesOf(tags: readonly string[]): { language: string[]; locale?: string } {
  const parts = tags.map((tag) => ({ language: languageIn(tag), region: TAG.exec(tag)?.[2]?.toUpperCase() }));
  const known = parts.filter(({ language }) => language !== '');
  const regional = known.find(({ region }) => region !== undefined);
  const language = [...new Set(known.map(({ language: code }) => code))];
  return { language, ...(regional && { locale: `${regional.language}-${regional.region}` }) };
}

/** Returns the ISO 639-1 code of a tag; '' for a language without one. */
function languageIn(tag: string): string {
  const code = TAG.exec(tag)?.[1]?.toLowerCase() ?? '';
  return ALIASES.get(code) ?? (code.length === 2 ? code : '');
}

/** Returns the identifier of a voice: `voice` or `voice#speaker`. White space, `#` and `%` are percent-encoded. */
const identifierOf = ({ name, speaker }: WyomingVoice['chosen']): string =>
  [name, ...(speaker === undefined ? [] : [speaker])].map(encoded).join(SPEAKER_MARK);

const encoded = (name: string): string => name.replaceAll(/[\s%#]/gu, encodeURIComponent);

/** Returns the voice that an identifier names, for a voice that the server does not list. */
export function chosenBy(identifier: string): WyomingVoice['chosen'] {
  const [name = '', speaker] = identifier.split(SPEAKER_MARK).map(decoded);
  return { name, ...(speaker !== undefined && { speaker }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns a language in the spelling of the voice, because a server may compare the letters. */
export const tagFor = (language: string, tags: readonly string[] = []): string =>
  tags.find((tag) => languageIn(tag) === language) ?? language;
