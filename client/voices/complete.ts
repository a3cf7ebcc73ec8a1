import type { CallOptions } from '../calls/account.js';
import { asSpeechError, SpeechError } from '../errors.js';
import { checkRequest } from '../interface/check-request.js';
import { abridged } from '../interface/describe-issues.js';
import { schemas } from '../interface/lazy-schemas.js';
import { lazy } from '../lazy.js';
import { text } from '../messages.js';
import { isInDefaultModel, languageOf, speaks, styleAndModel, type VoiceFacts } from './voice-facts.js';
import type { VoiceLookup } from './voice-lookup.js';

/** The default voice and language of an account. They give way to an explicit voice or language that they do not fit. */
export interface SpeechDefaults {
  voice_id?: string | undefined;
  language?: string | undefined;
}

/** The fields of a speech request that decide the voice. */
export interface VoiceChoice {
  voice_id?: string | undefined;
  language?: string | undefined;
  style?: string | undefined;
  model?: string | undefined;
}

/** A voice choice with everything that a speech request needs. */
export interface CompleteChoice extends VoiceChoice {
  voice_id: string;
  language: string;
}

/** The language if neither the request nor the defaults set a voice or a language. */
export const FALLBACK_LANGUAGE = 'en';

/** Languages of a voice that an error lists. */
const MAX_LISTED = 3;

/**
 * Completes a voice choice (docs/decisions/0035-voice-and-language.md):
 * - A voice without a language gets the default language if it speaks it, otherwise its first language.
 * - A language without a voice gets the default voice if that voice speaks it, otherwise the service's first voice of the
 *   language.
 * - Without both, the defaults apply; the default voice counts before the default language.
 * - A missing style and model get the values that the service uses; undefined if the service does not describe the voice.
 * @throws SpeechError `bad-request` for an invalid voice or language, also in the defaults; if the voice does not speak the
 *   language, or no voice does; or a failed search for a voice
 */
export async function completeChoice(
  lookup: VoiceLookup,
  given: VoiceChoice,
  defaults: SpeechDefaults,
  options: CallOptions,
): Promise<CompleteChoice> {
  // The defaults may come from a saved flow, and the lookup puts the voice into a path.
  for (const choice of [given, defaults]) checkRequest(choiceSchema(), choice);
  const { voice, ...chosen } = await chooseVoice(lookup, given, defaults, options);
  const { language } = chosen;
  const wish = { language, style: given.style, model: given.model };
  const { style, model } = styleAndModel(voice, wish);
  const other = model ?? (isInDefaultModel(language) ? undefined : await modelFor(lookup, language, options));
  return { ...chosen, style, model: other };
}

const choiceSchema = lazy(() => schemas().utterance.pick({ voice_id: true, language: true }).partial());

interface ChosenVoice {
  voice_id: string;
  language: string;
  /** Undefined if the service does not describe the voice. */
  voice: VoiceFacts | undefined;
}

async function chooseVoice(
  lookup: VoiceLookup,
  given: VoiceChoice,
  defaults: SpeechDefaults,
  options: CallOptions,
): Promise<ChosenVoice> {
  const preferred = given.language ?? defaults.language ?? FALLBACK_LANGUAGE;
  const voice_id = given.voice_id ?? (given.language === undefined ? defaults.voice_id : undefined);
  if (voice_id === undefined) return voiceOf(lookup, preferred, defaults.voice_id, options);
  const voice = await lookup.voice(voice_id, options);
  const language = given.language ?? languageOf(voice, preferred);
  if (voice !== undefined && !speaks(voice, language)) throw wrongLanguage(voice, language);
  return { voice_id, language, voice };
}

/** Chooses the default voice unless it lacks the language, otherwise the service's first voice of the language. */
async function voiceOf(
  lookup: VoiceLookup,
  language: string,
  usual: string | undefined,
  options: CallOptions,
): Promise<ChosenVoice> {
  if (usual !== undefined) {
    const voice = await lookup.voice(usual, options);
    if (voice === undefined || speaks(voice, language)) return { voice_id: usual, language, voice };
  }
  const voice = await lookup.first(language, options);
  if (voice !== undefined) return { voice_id: voice.voice_id, language, voice };
  throw new SpeechError('bad-request', text('no-voice', { language: { languages: [language] } }));
}

/**
 * Returns a model that a preset voice of the language uses, because the model names of a service may differ from the
 * interface. Undefined if the search fails: the service then chooses.
 */
async function modelFor(
  lookup: VoiceLookup,
  language: string,
  options: CallOptions,
): Promise<string | undefined> {
  try {
    return styleAndModel(await lookup.first(language, options), { language }).model;
  } catch (thrown) {
    if (asSpeechError(thrown).code === 'aborted') throw thrown;
    return undefined;
  }
}

function wrongLanguage(
  { voice_id, name, language: languages = [] }: VoiceFacts,
  wanted: string,
): SpeechError {
  const voice = name === '' ? abridged(voice_id) : name;
  const language = { languages: [wanted] };
  const listed = languages.length <= MAX_LISTED;
  return new SpeechError(
    'bad-request',
    listed
      ? text('voice-speaks-only', { voice, spoken: { languages }, language })
      : text('voice-lacks-language', { voice, language }),
  );
}
