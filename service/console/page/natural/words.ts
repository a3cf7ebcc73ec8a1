/** Describes natural voices in words. */
import { hasWords } from '../filter.js';
import { languageName, plain, size } from '../format.js';
import type { Installed, Job, NaturalVoice } from './natural-voice.js';

export const NON_COMMERCIAL = 'Non-commercial use only';
export const NOT_LIVE = 'not for live announcements';

const qualities: Readonly<Record<string, string>> = {
  x_low: 'Lowest quality',
  low: 'Low quality',
  medium: 'Medium quality',
  high: 'High quality',
};

/** Returns the properties of a voice that help to choose it, without the size. */
export function traitsOf(voice: NaturalVoice): string {
  const { quality, gender, speakers } = voice;
  const traits = [
    localeName(voice),
    qualities[quality] ?? quality,
    plain(gender),
    speakers > 1 ? `${speakers} speakers` : '',
  ];
  return traits.filter((trait) => trait !== '').join(' · ');
}

/** Returns the name of the language with its region: "German (Germany)". */
export function localeName({ language, region }: NaturalVoice): string {
  return languageName(region === '' ? language : `${language}-${region}`);
}

/** Names a voice for screen readers. Several voices of different quality can have the same title. */
export function labelOf({ title, quality }: NaturalVoice): string {
  return `${title}, ${(qualities[quality] ?? quality).toLowerCase()}`;
}

/** Describes the measured speed and memory of an installed voice. */
export function measured({ realTimeFactor, isLive, memoryBytes }: Installed): string {
  const parts = [
    speed(realTimeFactor),
    isLive ? '' : NOT_LIVE,
    memoryBytes === 0 ? '' : `${size(memoryBytes)} of memory`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function speed(realTimeFactor: number): string {
  if (realTimeFactor === 0) return 'Speed not measured';
  const times = 1 / realTimeFactor;
  if (times >= 1) return `${times.toFixed(times < 10 ? 1 : 0)} times faster than real time`;
  return `${realTimeFactor.toFixed(1)} times slower than real time`;
}

/** Describes the progress of an installation. */
export function progressOf({ phase, bytes, total }: Job): string {
  if (phase === 'download') return `Downloading ${size(bytes)} of ${size(total)}`;
  if (phase === 'check') return 'Checking the files';
  if (phase === 'measure') return 'Measuring the speed';
  return 'Waiting for the download';
}

/** Returns whether each word of a search starts a word of the voice. */
export function isFound(voice: NaturalVoice, words: string): boolean {
  const { name, title, language, licence } = voice;
  return hasWords([name, title, languageName(language), traitsOf(voice), licence].join(' '), words);
}
