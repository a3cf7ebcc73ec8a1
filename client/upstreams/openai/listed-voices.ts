import { fieldOf } from '../../base/values.js';
import type { ListedVoice } from '../local-answers.js';

/** Voices that are read from a list. */
const MAX_VOICES = 5000;

/** UTF-16 code units of an identifier and of a name. */
const MAX_WORD = 200;

/** Languages that are read of a voice. */
const MAX_LANGUAGES = 100;

/** Fields with the list of voices, in a body that is no list itself. */
const LISTS = ['voices', 'data', 'items'] as const;

const IDENTIFIERS = ['id', 'voice_id', 'voice', 'name'] as const;
const LANGUAGES = ['languages', 'language', 'locale', 'lang'] as const;

/**
 * Reads the list of voices of a compatible service: names, or objects with an identifier. Undefined if the body is no list.
 * Languages and genders are as the service tells them. An identifier that no request can have is left out.
 */
export function readVoices(body: unknown): Map<string, ListedVoice> | undefined {
  const list = Array.isArray(body) ? body : listIn(body);
  if (list === undefined) return undefined;
  const voices = new Map<string, ListedVoice>();
  for (const entry of list) {
    const voice = voiceOf(entry);
    if (voice !== undefined && !voices.has(voice.voice_id)) voices.set(voice.voice_id, voice);
    if (voices.size === MAX_VOICES) break;
  }
  return voices;
}

function listIn(body: unknown): readonly unknown[] | undefined {
  for (const name of LISTS) {
    const list = fieldOf(body, name);
    if (Array.isArray(list)) return list;
  }
  return undefined;
}

function voiceOf(entry: unknown): ListedVoice | undefined {
  if (typeof entry === 'string') return isIdentifier(entry) ? { voice_id: entry, name: entry } : undefined;
  const voice_id = IDENTIFIERS.map((name) => fieldOf(entry, name)).find(isIdentifier);
  if (voice_id === undefined) return undefined;
  const [name = voice_id, description, gender] = ['name', 'description', 'gender'].map((field) =>
    wordOf(fieldOf(entry, field)),
  );
  const tags = LANGUAGES.flatMap((field) => tagsOf(fieldOf(entry, field)));
  const locale = tags.find((tag) => tag.includes('-'));
  return {
    voice_id,
    name,
    language: [...new Set(tags.map((tag) => tag.split('-')[0] ?? tag))],
    ...(description !== undefined && { description }),
    ...(gender !== undefined && { gender: gender.toLowerCase() }),
    ...(locale !== undefined && { locale }),
  };
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_WORD && /^[^\s\p{Surrogate}]+$/u.test(value);

function wordOf(value: unknown): string | undefined {
  const word = typeof value === 'string' ? value.trim().slice(0, MAX_WORD) : '';
  return word === '' ? undefined : word;
}

/** Returns the language tags in a field: a tag, a list of tags, or a list of objects with a tag. */
function tagsOf(value: unknown): string[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_LANGUAGES) : [value];
  return entries.flatMap((entry) => {
    const code = typeof entry === 'string' ? entry : (fieldOf(entry, 'code') ?? fieldOf(entry, 'language'));
    return typeof code === 'string' ? (tagOf(code) ?? []) : [];
  });
}

/** Returns a tag in its usual form, such as `en-GB` for `en_gb` and `de` for `deu`; undefined for a word such as "English". */
function tagOf(code: string): string | undefined {
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i.test(code)) return undefined;
  try {
    return Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}
