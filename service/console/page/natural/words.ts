/** Describes natural voices in words. */
import {
  filled,
  hasWords,
  type Installed,
  type Job,
  languageNameIn,
  type NaturalVoice,
  regionName,
  wordName,
  wordsFor,
} from '@herald-speech/browser';
import { plain, size } from '../lib/format.js';
import { capitalized, type Key, language, pageNumeral, text } from '../lib/text.js';

/** Returns the mark of a voice whose licence excludes commercial use. */
export const nonCommercial = (): string => capitalized(wordsFor(language())['non-commercial']);

/** Returns the mark of a voice that is too slow for live announcements. */
export const notLive = (): string => wordsFor(language())['not-live'];

/** Returns the properties of a voice that help to choose it, without the size. */
export function traitsOf(voice: NaturalVoice): string {
  const { quality, gender, speakers } = voice;
  const traits = [
    regionName(voice, language()),
    capitalized(wordName('quality', quality, language())),
    plain(gender),
    speakers > 1 ? wordsFor(language()).speakers.replace('__count__', pageNumeral(speakers)) : '',
  ];
  return traits.filter((trait) => trait !== '').join(' · ');
}

/** Names a voice for screen readers. Several voices of different quality can have the same title. */
export function voiceLabelOf({ title, quality }: NaturalVoice): string {
  return `${title}, ${wordName('quality', quality, language())}`;
}

/** Describes the measured speed and memory of an installed voice. */
export function measured({ realTimeFactor, isLive, memoryBytes }: Installed): string {
  const parts = [
    speed(realTimeFactor),
    isLive ? '' : notLive(),
    memoryBytes === 0 ? '' : text('natural.memory', { size: size(memoryBytes) }),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function speed(realTimeFactor: number): string {
  if (realTimeFactor === 0) return text('natural.not-measured');
  const times = 1 / realTimeFactor;
  if (times >= 1) return text('natural.faster', { times: pageNumeral(times, times < 10 ? 1 : 0) });
  return text('natural.slower', { times: pageNumeral(realTimeFactor, 1) });
}

const phases: Readonly<Record<string, Key>> = {
  download: 'natural.phase.download',
  check: 'natural.phase.check',
  measure: 'natural.phase.measure',
};

/** Describes the progress of an installation. */
export function progressOf({ phase, bytes, total }: Job): string {
  return text(phases[phase] ?? 'natural.phase.card', { done: size(bytes), total: size(total) });
}

/** Describes the progress of an import. */
export function importProgressOf(job: Job & { voice?: string }): string {
  const values = { done: size(job.bytes), total: size(job.total) };
  const step = job.phase === 'download' ? text('natural.phase.copy', values) : progressOf(job);
  return [job.voice, step].filter(Boolean).join(': ');
}

/** Describes the failure of an installation or an import. The service writes its reasons in English. */
export function failureText({ kind, error: problem }: Pick<Job, 'kind' | 'error'>): string {
  const { offline, failed } = wordsFor(language()).job;
  return filled(kind === 'network' ? offline : failed, { problem });
}

/** Returns whether each word of a search starts a word of the voice. */
export function isFound(voice: NaturalVoice, words: string): boolean {
  const { name, title, licence } = voice;
  return hasWords(
    [name, title, languageNameIn(voice.language, 'en'), traitsOf(voice), licence].join(' '),
    words,
  );
}
