import {
  abridged,
  type LocalSetting,
  localSettings,
  models,
  type operations,
  type RequestOf,
  type VoiceSetting,
  voiceSettings,
} from '@herald-speech/client/interface';
import type { Prosody, SynthesisRequest } from '../engines/engine.js';
import { missingEngineHint } from '../engines/engines.js';
import { ServiceError } from '../../kit/errors.js';
import type { SpeakableVoice } from './catalogue.js';
import { modelsFor } from './preset-voice.js';
import { type Style, type StyleName, styles } from './styles.js';

type Utterance = RequestOf<typeof operations.createSpeech>;

/** Maximum length of `normalized_text` in UTF-16 code units: 300 characters of text, each up to ten when written out. */
export const MAX_NORMALIZED_LENGTH = 3000;

/** A supported combination of language, style and model (docs/interface.md#sample). */
export interface VoiceCombination {
  language: string;
  style: StyleName;
  model: string;
}

/**
 * Returns the language, style and model of a request. Default style: the first style of the voice. Default model: the first
 * model that supports the language.
 * @throws ServiceError 400 for a language, style or model that the voice does not support
 */
export function combinationOf(
  voice: SpeakableVoice,
  { language, style, model }: Utterance,
): VoiceCombination {
  const hint = missingEngineHint ?? 'Use one of these languages, or search a voice of the language';
  const known = allowed('language', language, voice.languages, ` for the voice ${voice.name}. ${hint}`);
  const speaking = modelsFor([known]);
  return {
    language: known,
    style: allowed('style', style ?? voice.styles[0] ?? 'neutral', voice.styles),
    model: allowed('model', model ?? speaking[0] ?? '', speaking, ` for the language "${known}"`),
  };
}

/**
 * Converts a validated request to a request for the engine.
 * @throws ServiceError 400 if `normalized_text` is too long
 */
export function toSynthesisRequest(
  voice: SpeakableVoice,
  request: Utterance,
  combination: VoiceCombination,
): SynthesisRequest {
  const { language, style, model } = combination;
  const delivery = localSettings.reduce(
    (prosody, setting) => effects[setting](prosody, settingOf(request, model, setting)),
    prosodyOf(voice, styles[style]),
  );
  return { voice: voice.engineVoice, ...textOf(request, model), language, delivery };
}

function allowed<Word extends string>(
  field: string,
  value: string,
  words: readonly Word[],
  where = '',
): Word {
  const word = words.find((word) => word === value);
  if (word !== undefined) return word;
  throw new ServiceError(400, `${field} is ${abridged(value)}: expected one of ${words.join(', ')}${where}`);
}

function textOf(
  { text, normalized_text: normalized }: Utterance,
  model: string,
): Pick<SynthesisRequest, 'text' | 'isReading'> {
  if (normalized === undefined || models[model]?.normalizes !== true) return { text };
  if (normalized.length <= MAX_NORMALIZED_LENGTH) return { text: normalized, isReading: true };
  throw new ServiceError(
    400,
    `normalized_text has ${normalized.length} characters: expected at most ${MAX_NORMALIZED_LENGTH}`,
  );
}

/** The effect of each voice setting that the local service follows. Semitones add up, ratios multiply. */
const effects: Readonly<Record<LocalSetting, (prosody: Prosody, value: number) => Prosody>> = {
  pitch_shift: (prosody, value) => ({ ...prosody, pitchShift: prosody.pitchShift + value }),
  pitch_variance: (prosody, value) => ({ ...prosody, pitchVariance: prosody.pitchVariance * value }),
  speed: (prosody, value) => ({ ...prosody, speed: prosody.speed * value }),
  duration: (prosody, value) => ({ ...prosody, duration: value }),
};

/** Combines the voice and the style. */
const prosodyOf = (voice: SpeakableVoice, style: Style): Prosody => ({
  speed: voice.rate * style.speed,
  pitchShift: voice.pitchShift + style.pitchShift,
  pitchVariance: voice.pitchVariance * style.pitchVariance,
  duration: 0,
});

/** Returns a voice setting, or its default if the model does not support it (docs/interface.md#models). */
function settingOf({ voice_settings: settings }: Utterance, model: string, name: VoiceSetting): number {
  const isSupported = models[model]?.settings.includes(name) === true;
  return (isSupported ? settings?.[name] : undefined) ?? voiceSettings[name].default;
}
