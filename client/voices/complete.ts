import type { CallOptions } from '../calls/call-options.js';
import { SpeechError } from '../base/errors.js';
import { checkRequest } from '../interface/check-request.js';
import { abridgedText } from '../interface/describe-issues.js';
import { utterance } from '../interface/speech.js';
import { lazy } from '../base/lazy.js';
import { text } from '../base/messages.js';
import { isInDefaultModel, languageOf, speaks, styleAndModel, type VoiceFacts } from './voice-facts.js';
import type { LookupOptions, VoiceLookup } from './voice-lookup.js';

/** The searches for voices. */
export type Lookup = Pick<VoiceLookup, 'voice' | 'first' | 'serverVoice'>;

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
 * Completes a voice choice (docs/decisions/0035-voice-and-language-are-one-choice.md):
 * - A voice without a language gets the default language if it speaks it, otherwise its first language.
 * - A language without a voice gets the default voice if that voice speaks it, otherwise the voice that `automaticVoice`
 *   chooses.
 * - Without both, the defaults apply; the default voice counts before the default language.
 * - A missing style and model get the values that the service uses; undefined if the service does not describe the voice.
 * @throws SpeechError `bad-request` for an invalid voice or language, also in a default that applies; if the voice does not
 *   speak the language, or no voice does; or the failure of a lookup that the choice needs
 */
export async function completeChoice(
  lookup: Lookup,
  given: VoiceChoice,
  defaults: SpeechDefaults,
  options: CallOptions,
): Promise<CompleteChoice> {
  const wanted = { ...given, ...checkedChoice(given) };
  const isUsual = isUsualLanguage(wanted.language, defaults);
  const { voice, ...chosen } = await chooseVoice(
    lookup,
    wanted,
    { ...applied(given, defaults), isUsual },
    options,
  );
  const { language } = chosen;
  const wish = { language, style: given.style, model: given.model };
  const { style, model } = styleAndModel(voice, wish);
  const other = model ?? (isInDefaultModel(language) ? undefined : await modelFor(lookup, language, options));
  return { ...chosen, style, model: other };
}

const choiceSchema = lazy(() => utterance().pick({ voice_id: true, language: true }).partial());

/** Returns the defaults in place of missing fields. They may come from a saved flow, and the lookup puts the voice into a path. */
function applied(given: VoiceChoice, { voice_id, language }: SpeechDefaults): SpeechDefaults {
  const used = {
    ...(given.voice_id === undefined && { voice_id }),
    ...(given.language === undefined && { language }),
  };
  return checkedChoice(used, (field) => `account.${field}`);
}

/** @throws SpeechError `bad-request` for an invalid voice or language */
function checkedChoice(choice: SpeechDefaults, nameOf?: (field: string) => string): SpeechDefaults {
  if (choice.voice_id === undefined && choice.language === undefined) return {};
  return checkRequest(choiceSchema(), choice, nameOf);
}

/** Returns whether a language is the default one of the account. A missing one is. */
export const isUsualLanguage = (
  wanted: string | undefined,
  { language = FALLBACK_LANGUAGE }: SpeechDefaults,
): boolean => wanted === undefined || wanted.slice(0, 2) === language.slice(0, 2);

/**
 * Returns the voice for a text without a chosen voice: the default voice of the service, or its first voice of the language. A
 * service does not tell the language of its default voice. That is assumed to be the default language of the account, if the
 * service has a voice of that language.
 * @param isUsual whether the language is the default one of the account
 */
export async function automaticVoice(
  lookup: Lookup,
  language: string,
  isUsual: boolean,
  options: LookupOptions,
): Promise<VoiceFacts | undefined> {
  const first = await lookup.first(language, options);
  const { serverVoice } = lookup;
  return first !== undefined && serverVoice !== undefined && isUsual
    ? lookup.voice(serverVoice, options)
    : first;
}

/** The defaults that apply, and whether the language of the request is the default one of the account. */
type Applied = SpeechDefaults & { isUsual: boolean };

interface ChosenVoice {
  voice_id: string;
  language: string;
  /** Undefined if the service does not describe the voice. */
  voice: VoiceFacts | undefined;
}

async function chooseVoice(
  lookup: Lookup,
  given: VoiceChoice,
  defaults: Applied,
  options: CallOptions,
): Promise<ChosenVoice> {
  const preferred = given.language ?? defaults.language ?? FALLBACK_LANGUAGE;
  const voice_id = given.voice_id ?? (given.language === undefined ? defaults.voice_id : undefined);
  if (voice_id === undefined) return voiceOf(lookup, preferred, defaults, options);
  const voice = await lookup.voice(voice_id, { ...options, isNeeded: needsFacts(given) });
  const language = given.language ?? languageOf(voice, preferred);
  if (voice !== undefined && !speaks(voice, language)) throw wrongLanguage(voice, language);
  return { voice_id, language, voice };
}

/** Returns whether a request without the facts of its voice could have the wrong language or model. */
function needsFacts({ voice_id, language, model }: VoiceChoice): boolean {
  if (voice_id === undefined || language === undefined) return true;
  return model === undefined && !isInDefaultModel(language);
}

/** Chooses the default voice unless it lacks the language. */
async function voiceOf(
  lookup: Lookup,
  language: string,
  { voice_id: usual, isUsual }: Applied,
  options: CallOptions,
): Promise<ChosenVoice> {
  if (usual !== undefined) {
    const voice = await lookup.voice(usual, { ...options, isNeeded: true });
    if (voice === undefined || speaks(voice, language)) return { voice_id: usual, language, voice };
  }
  const voice = await automaticVoice(lookup, language, isUsual, { ...options, isNeeded: true });
  if (voice !== undefined) return { voice_id: voice.voice_id, language, voice };
  throw new SpeechError('bad-request', text('no-voice', { language: { languages: [language] } }));
}

/**
 * Returns a model that a preset voice of the language uses, because the model names of a service may differ from the
 * interface. Undefined if the search fails: the service then chooses.
 */
async function modelFor(lookup: Lookup, language: string, options: CallOptions): Promise<string | undefined> {
  const voice = await lookup.first(language, { ...options, isNeeded: false });
  return styleAndModel(voice, { language }).model;
}

function wrongLanguage(
  { voice_id, name, language: languages = [] }: VoiceFacts,
  wanted: string,
): SpeechError {
  const voice = name === '' ? abridgedText(voice_id) : name;
  const language = { languages: [wanted] };
  const listed = languages.length <= MAX_LISTED;
  return new SpeechError(
    'bad-request',
    listed
      ? text('voice-speaks-only', { voice, spoken: { languages }, language })
      : text('voice-lacks-language', { voice, language }),
  );
}
