import { speakable } from '../clones/clone.js';
import type { CustomVoiceRow } from '../clones/custom-voices.js';
import { packageVersion } from '../package-version.js';
import { DEFAULT_LANGUAGE } from '../speech/choose-voice.js';
import type { SpeechDependencies } from '../speech/start-speech.js';
import type { Catalogue, CatalogueVoice } from '../voices/catalogue.js';
import type { WyomingEvent } from './event.js';

/** Kinds of services that Wyoming knows and the service does not have. */
const OTHER_SERVICES = { asr: [], handle: [], intent: [], wake: [], mic: [], snd: [] };

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
export function infoEvent(
  { catalogue, ledger }: Pick<SpeechDependencies, 'catalogue' | 'ledger'>,
  account: string,
): WyomingEvent {
  const version = packageVersion();
  const preset = catalogue.voices.map((voice) => presetVoice(voice, version));
  const custom = ledger.customVoices.list(account).map((voice) => customVoice(voice, catalogue, version));
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
  return { ...artifact(id, `${name} (${kind})`, source, version), languages };
}

function customVoice(voice: CustomVoiceRow, catalogue: Catalogue, version: string) {
  const { voice_id: id, name } = voice;
  const languages = speakable(voice, DEFAULT_LANGUAGE, catalogue)?.languages ?? [];
  return { ...artifact(id, `${name} (custom voice)`, 'custom voice', version), languages };
}

/** Home Assistant shows the description of a voice, and sends the name back. */
function artifact(name: string, description: string, source: string, version: string) {
  return { name, description, attribution: { name: source, url: '' }, installed: true, version };
}
