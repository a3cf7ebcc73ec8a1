import { type ManagedVoice, namesOfLanguage } from '../../voices/natural/manage/managed-voice.js';
import { UsageError } from '../usage-error.js';

/** Maximum number of suggestions in an error message. */
const SUGGESTIONS = 8;

/**
 * Finds the voice with a name or a short name, such as `thorsten-medium` or `kerstin`. A short name has some parts of the
 * name, in any order, and may have the name of the language.
 * @throws UsageError for an unknown or ambiguous name, with suggestions
 */
export function findVoice(text: string, voices: readonly ManagedVoice[]): ManagedVoice {
  const voice = findOneOf(text, voices);
  if (voice !== undefined) return voice;
  throw refused(text, unknown(similar(partsOf(text), voices)));
}

/** As `findVoice`, but returns undefined for an unknown name. @throws UsageError for an ambiguous name */
export function findOneOf(text: string, voices: readonly ManagedVoice[]): ManagedVoice | undefined {
  const name = text.normalize('NFC');
  const exact = voices.find((voice) => voice.name === name);
  if (exact !== undefined) return exact;
  const wanted = partsOf(name);
  const matches = voices.filter((voice) => wanted.length > 0 && wanted.every((part) => hasPart(voice, part)));
  const found = prefer(matches, wanted);
  if (found.length > 1) throw refused(text, `several voices match. Use one of ${listOf(found)}`);
  return found[0];
}

const refused = (text: string, reason: string) => new UsageError(`voice "${text.slice(0, 100)}": ${reason}`);

/** `thorsten-medium` means the dataset `thorsten` and not `thorsten_emotional`. */
function prefer(matches: readonly ManagedVoice[], wanted: readonly string[]): readonly ManagedVoice[] {
  const whole = matches.filter(({ name }) => partsOf(datasetOf(name)).every((part) => wanted.includes(part)));
  return whole.length === 0 ? matches : whole;
}

/** The part of a name between the language and the quality. */
const datasetOf = (name: string) => name.split('-').slice(1, -1).join('-');

function hasPart({ name, language, quality }: ManagedVoice, part: string): boolean {
  return quality === part || [...partsOf(name), ...namesOfLanguage(language).flatMap(partsOf)].includes(part);
}

/** Returns the voices that have a word with at most two other letters than a wanted part. */
function similar(wanted: readonly string[], voices: readonly ManagedVoice[]): ManagedVoice[] {
  const long = wanted.filter(({ length }) => length > 2);
  return voices.filter(({ name }) =>
    partsOf(datasetOf(name)).some((part) =>
      long.some((word) => distance(word, part) <= Math.min(2, word.length / 3)),
    ),
  );
}

/** Returns the number of letters to insert, remove or replace until both words are equal. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(a).entries()) {
    const next = [index + 1];
    for (const [column, other] of Array.from(b).entries()) {
      const [left = 0, above = 0, diagonal = 0] = [next[column], row[column + 1], row[column]];
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function unknown(suggestions: readonly ManagedVoice[]): string {
  const similar = suggestions.length === 0 ? '' : `Similar names: ${listOf(suggestions)}. `;
  return `unknown voice. ${similar}To list all voices, run "herald-service voices available"`;
}

function listOf(voices: readonly ManagedVoice[]): string {
  return voices
    .slice(0, SUGGESTIONS)
    .map(({ name }) => name)
    .join(', ');
}

/** Splits a text at `-`, `_` and spaces. Ignores case and accents, except in the quality `x_low`. */
function partsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/x_low/gu, 'x\u0000low')
    .split(/[-_\s]+/u)
    .filter((part) => part !== '')
    .map((part) => part.replace('\u0000', '_'));
}
