import type { VoiceQuery } from '../speech/choose-voice.js';
import { hasProperties } from '../kit/objects.js';
import type { WyomingEvent } from './event.js';
import { ProtocolError } from './protocol-error.js';

/**
 * Returns the text of `synthesize` and `synthesize-chunk`.
 * @throws ProtocolError `invalid-event` if the event has no text
 */
export function textToSpeak({ type, data }: WyomingEvent): string {
  const { text } = data;
  if (typeof text === 'string') return text;
  throw new ProtocolError('invalid-event', `${type}: data.text is missing: expected the text to speak`);
}

/**
 * Returns the voice of `synthesize` and `synthesize-start`. Null counts as missing.
 * @throws ProtocolError `invalid-event` for a field of another type
 */
export function voiceOf({ type, data }: WyomingEvent): VoiceQuery {
  const voice = data['voice'] ?? {};
  if (!hasProperties(voice))
    throw new ProtocolError('invalid-event', `${type}: data.voice: expected an object`);
  const { name, language, speaker } = voice;
  return {
    voice: optionalText(type, 'name', name),
    language: optionalText(type, 'language', language),
    speaker: optionalText(type, 'speaker', speaker),
  };
}

function optionalText(type: string, field: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new ProtocolError('invalid-event', `${type}: data.voice.${field}: expected a text`);
}
