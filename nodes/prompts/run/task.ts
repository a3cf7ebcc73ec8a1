import { lazy, pronunciationList, speechRequest, z } from '@herald-speech/client';
import { markupField } from '../../lib/utterance.js';
import { retryFields } from '../../runtime/retries.js';

/** A chime in a task: the name of a built-in chime, or a WAV or MP3 file as Base64. */
const chime = () => z.union([z.string(), z.object({ base64: z.base64() })]);

const dressing = () =>
  z.object({
    chime: chime().optional(),
    silenceBefore: z.number(),
    silenceAfter: z.number(),
    gap: z.number(),
    repeat: z.number(),
    volume: z.number(),
    loudness: z.number().optional(),
  });

const format = () =>
  z.union([
    z.literal('unchanged'),
    z.object({
      container: z.enum(['wav', 'raw', 'mp3']),
      encoding: z.enum(['pcm', 'mulaw', 'alaw', 'mp3']),
      sampleRate: z.number(),
      bitrate: z.number().optional(),
      channels: z.union([z.literal(1), z.literal(2)]).optional(),
    }),
  ]);

/** The request of a prompt. If it has no voice or language, the defaults of the account apply. */
const promptRequest = () =>
  speechRequest.extend({
    voice_id: speechRequest.shape.voice_id.optional(),
    language: speechRequest.shape.language.optional(),
  });

/**
 * The work on one prompt: all that its sound depends on, as plain data without the key of the account. Another member of a
 * fleet can do the work with its connection to the same account.
 */
export const rowTask = lazy(() =>
  z.object({
    request: promptRequest(),
    markup: markupField(),
    cache: z.boolean(),
    pronunciations: pronunciationList().optional(),
    /** Whether the account's fallback may speak the prompt. */
    fallback: z.boolean(),
    ...retryFields(),
    format: format(),
    dressing: dressing(),
    /** Relative path of the prompt file, for messages. */
    filename: z.string(),
    /** The hash of the row (`hashOf`). Equal hashes mean equal audio. */
    hash: z.string(),
  }),
);

export type RowTask = z.output<ReturnType<typeof rowTask>>;

/** The audio of a prompt. */
export interface MadeRow {
  /** A complete file. */
  data: Uint8Array;
  /** Seconds of the audio, with chime and silences. */
  seconds: number;
  /** Seconds that the service charged: 0 if cached, undefined if it did not state them. */
  charged: number | undefined;
  /** True if all of the speech came from the cache. */
  cached: boolean;
  voice_id: string;
  language: string;
  warnings: readonly string[];
}
