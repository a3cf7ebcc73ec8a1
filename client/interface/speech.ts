/** The operations of speech with their schemas (docs/interface.md#speech). */
import { z } from '#zod';
import { lazy } from '../base/lazy.js';
import { text } from '../base/messages.js';
import { rule } from './describe-issues.js';
import { tolerantArray } from './lenient.js';
import { MAX_TEXT_LENGTH, SPEAKABLE } from './limits.js';
import { fieldDefaults, longVoiceSettings, type VoiceSetting, voiceSettings } from './models.js';
import { operation, type RequestOf } from './operation.js';
import { orElse } from './or-else.js';
import { atMost, between, identifier, isBytes, word } from './parts.js';

type Range = Readonly<Record<'min' | 'max' | 'default', number>>;

const range = ({ min, max, default: value }: Range) => orElse(between(z.number(), min, max), value);

/** A service may have more settings: the client passes unknown ones on. */
const settingsIn = (ranges: Readonly<Record<VoiceSetting, Range>>) =>
  z.looseObject(
    Object.fromEntries(Object.entries(ranges).map(([name, limits]) => [name, range(limits)])) as Record<
      VoiceSetting,
      ReturnType<typeof range>
    >,
  );

export const phonemes = lazy(() =>
  z
    .looseObject({
      symbols: tolerantArray(z.string()),
      start_times_seconds: tolerantArray(z.number()),
      durations_seconds: tolerantArray(z.number()),
    })
    .refine(
      ({ symbols, start_times_seconds: starts, durations_seconds: durations }) =>
        symbols.length === starts.length && symbols.length === durations.length,
      'expected three arrays of equal length',
    ),
);

export type Phonemes = z.output<ReturnType<typeof phonemes>>;

/** The fields that speech and predicted duration share (docs/interface.md#utterance). */
export const utterance = lazy(() =>
  z.object({
    voice_id: identifier(),
    text: atMost(MAX_TEXT_LENGTH, z.string().regex(SPEAKABLE, rule(text('rule-text')))),
    /** Becomes two letters: the interface has no regions (docs/interface.md#utterance). */
    language: z
      .string()
      .regex(/^[a-z]{2}(?:[-_][A-Za-z0-9]{2,8})*$/, rule(text('rule-language')))
      .overwrite((tag) => tag.slice(0, 2)),
    style: word().optional(),
    model: word().optional(),
    output_format: orElse(z.enum(['wav', 'mp3']), fieldDefaults.output_format),
    voice_settings: settingsIn(voiceSettings).optional(),
  }),
);

/** A service may have more fields: the client passes unknown ones on. */
const speech = lazy(() =>
  utterance()
    .loose()
    .extend({
      include_phonemes: orElse(z.boolean(), fieldDefaults.include_phonemes),
      normalized_text: word().optional(),
    }),
);

/** A speech request with a text of any length; `speak` and `predict` split it into requests of the interface. */
export const longSpeech = lazy(() =>
  speech().extend({
    text: z.string(),
    voice_settings: settingsIn(longVoiceSettings).optional(),
  }),
);

/**
 * A speech reply in any of its encodings. `duration` is in seconds; `charged` is `X-Audio-Length`, in seconds.
 * `approximate` is `X-Voice-Approximate`, `voiceFallback` is `X-Voice-Fallback`, and `voiceFallbackReason` is
 * `X-Voice-Fallback-Reason`, of the local service only.
 */
export const speechReply = lazy(() =>
  z.looseObject({
    audio: z.custom<Uint8Array>(isBytes),
    format: z.enum(['wav', 'mp3']),
    mime: z.string(),
    duration: z.number(),
    charged: z.number().optional(),
    approximate: z.boolean().optional(),
    voiceFallback: z.string().optional(),
    voiceFallbackReason: z.string().optional(),
    phonemes: phonemes().optional(),
  }),
);

/** `duration` is in seconds. */
const predictedDuration = lazy(() => z.looseObject({ duration: z.number().nonnegative() }));

/** Creates speech from at most 300 characters (docs/interface.md#speech). A lost reply may have been charged. */
export const createSpeech = operation({
  name: 'createSpeech',
  summary: 'Create speech',
  method: 'POST',
  path: '/v1/text-to-speech/{voice_id}',
  request: speech,
  response: speechReply,
  reply: 'audio',
  paid: true,
  failures: [400, 402, 403, 404, 408],
});

/** A speech request with a text of any length. */
export type SpeechRequest = RequestOf<typeof createSpeech>;

/** Creates speech and streams it. `call` resolves with the complete audio after the last byte. */
export const streamSpeech = operation({
  name: 'streamSpeech',
  summary: 'Create speech and stream it',
  method: 'POST',
  path: '/v1/text-to-speech/{voice_id}/stream',
  request: speech,
  response: speechReply,
  reply: 'audio',
  streams: true,
  paid: true,
  failures: [400, 402, 403, 404, 408],
});

/** Predicts the seconds of audio for a text, without a charge (docs/interface.md#speech). */
export const predictDuration = operation({
  name: 'predictDuration',
  summary: 'Predict the duration of speech, without a charge',
  method: 'POST',
  path: '/v1/predict-duration/{voice_id}',
  request: utterance,
  response: predictedDuration,
  failures: [400, 403, 404, 408],
});

export const speechOperations = { createSpeech, streamSpeech, predictDuration };
