import { packageVersion } from '../kit/package-version.js';
import { DEFAULT_LANGUAGE, type VoiceDependencies } from '../speech/choose-voice.js';
import type { CatalogueVoice } from '../voices/catalogue/catalogue.js';
import type { WyomingEvent } from './event.js';
import { nameWithLanguage } from './voice.js';

/** Kinds of services that Wyoming knows and the service does not have. */
const OTHER_SERVICES = { asr: [], handle: [], intent: [], wake: [], mic: [], snd: [] };

/** Maximum number of custom voices in the list. Each has an entry for each language. */
const MAX_CUSTOM_VOICES = 50;

/** Names of the engines, as users know them. */
const sources: Readonly<Record<string, string>> = {
  flite: 'Flite',
  espeak: 'eSpeak NG',
  neural: 'natural',
};

/**
 * Returns the event that describes the service: all voices that an account can use now. A natural voice that is not installed
 * is left out, because a client cannot install it.
 * @param account identifier of the account
 */
export function infoEvent({ catalogue, ledger }: VoiceDependencies, account: string): WyomingEvent {
  const version = packageVersion();
  const preset = catalogue.voices.flatMap((voice) => presetVoice(voice, version));
  const languages = new Set([DEFAULT_LANGUAGE, ...catalogue.voices.flatMap((voice) => voice.languages)]);
  const listed = ledger.customVoices.list(account).slice(0, MAX_CUSTOM_VOICES);
  const custom = listed.flatMap((voice) => customVoice(voice, [...languages], version));
  const program = {
    ...artifact('Herald', 'Local text to speech', 'Herald', version),
    supports_synthesize_streaming: true,
    voices: [...preset, ...custom],
  };
  return { type: 'info', data: { ...OTHER_SERVICES, tts: [program] } };
}

function presetVoice({ id, name, engine, languages, quality }: CatalogueVoice, version: string) {
  const source = sources[engine] ?? engine;
  const kind = quality === undefined ? source : `${source}, ${quality}`;
  return inEachLanguage(artifact(id, `${name} (${kind})`, source, version), languages);
}

type CustomVoice = ReturnType<VoiceDependencies['ledger']['customVoices']['list']>[number];

function customVoice({ voice_id: id, name }: CustomVoice, languages: readonly string[], version: string) {
  return inEachLanguage(artifact(id, `${name} (custom voice)`, 'custom voice', version), languages);
}

/** Lists a voice once for each language. Home Assistant sends back only the name, so the name contains a further language. */
function inEachLanguage(voice: ReturnType<typeof artifact>, languages: readonly string[]) {
  return languages.map((language, place) => {
    const name = place === 0 ? voice.name : nameWithLanguage(voice.name, language);
    return { ...voice, name, languages: [language] };
  });
}

/** Home Assistant shows the description of a voice, and sends the name back. */
function artifact(name: string, description: string, source: string, version: string) {
  return { name, description, attribution: { name: source, url: '' }, installed: true, version };
}
