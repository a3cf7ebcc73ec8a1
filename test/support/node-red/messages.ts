import { z } from '@herald-speech/client';
import type { Message } from './flow.js';

/** `msg.error`. Fields without a value are present and undefined. */
const messageError = z.strictObject({
  message: z.string(),
  name: z.literal('SpeechError'),
  code: z.string(),
  route: z.enum(['retryable', 'fatal', 'out-of-credits', 'stopped']),
  status: z.union([z.number(), z.undefined()]),
  operation: z.union([z.string(), z.undefined()]),
  attempts: z.number(),
  retryAfter: z.union([z.number(), z.undefined()]),
  chunk: z.union([
    z.object({ index: z.number(), count: z.number(), start: z.number(), end: z.number() }),
    z.undefined(),
  ]),
  service: z.union([z.string(), z.undefined()]),
  node: z.union([z.string(), z.undefined()]),
  arrival: z.union([z.number(), z.undefined()]),
  budget: z
    .strictObject({
      per: z.enum(['day', 'month', 'message']),
      unit: z.enum(['seconds', 'credits']),
      limit: z.number(),
      used: z.number(),
      needed: z.number(),
      resets: z.string().optional(),
    })
    .optional(),
});

const chunk = z.strictObject({
  text: z.string(),
  start: z.number(),
  duration: z.number(),
  account: z.string().optional(),
});

const speech = z.strictObject({
  voice_id: z.string(),
  language: z.string(),
  style: z.string().optional(),
  model: z.string().optional(),
  order: z.enum(['wait', 'replace', 'interrupt']),
  announcement: z.uuid(),
  format: z.enum(['wav', 'mp3', 'raw']),
  mime: z.string(),
  sampleRate: z.number(),
  encoding: z.enum(['pcm', 'float', 'mulaw', 'alaw', 'mp3']),
  duration: z.number(),
  text: z.string(),
  chunks: z.array(chunk),
  chargedSeconds: z.number().optional(),
  phonemes: z
    .object({
      symbols: z.array(z.string()),
      start_times_seconds: z.array(z.number()),
      durations_seconds: z.array(z.number()),
    })
    .optional(),
  cached: z.boolean(),
  pieces: z.strictObject({ cached: z.number(), count: z.number() }),
  voiceFallback: z.string().optional(),
  fallback: z
    .strictObject({
      account: z.string(),
      voice_id: z.string(),
      from: z.number(),
      code: z.string(),
      reason: z.string(),
    })
    .optional(),
  start: z.number().optional(),
  captions: z.string(),
  srt: z.string(),
  warnings: z.array(z.string()),
  url: z.string().optional(),
  filename: z.string().optional(),
  captionsFile: z.string().optional(),
});

const earlySpeech = speech.omit({
  duration: true,
  text: true,
  chunks: true,
  chargedSeconds: true,
  phonemes: true,
  cached: true,
  pieces: true,
  captions: true,
  srt: true,
});

const caught = z.object({
  message: z.string(),
  code: z.string(),
  source: z.object({ id: z.string(), type: z.string() }),
  cause: messageError,
});

/** Returns `msg.error` of a failed message after a check of its shape. */
export const errorOf = ({ error }: Message) => messageError.parse(error);

/** Returns `msg.error` of a Catch node after a check of its shape. */
export const caughtError = ({ error }: Message) => caught.parse(error);

/** Returns `msg.speech` of a text-to-speech node after a check of its shape. */
export const speechOf = (message: Message) => speech.parse(message['speech']);

/** Returns `msg.speech` of an early URL after a check of its shape: it has no totals. */
export const earlySpeechOf = (message: Message) => earlySpeech.parse(message['speech']);

/** Returns the audio in `msg.payload`, which must be a Buffer. */
export const audioOf = ({ payload }: Message): Buffer => z.instanceof(Buffer).parse(payload);

/** Returns the status texts in the messages of a Status node, in order. */
export function statusTexts(messages: readonly Message[]): string[] {
  const status = z.object({ status: z.object({ text: z.string().optional() }) });
  return messages.map((message) => status.parse(message).status.text ?? '');
}
