import { z } from 'zod';
import { encodings } from '../audio/encoder.js';

/** Whatever kind of memory lies under it. */
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const delivery = z.object({
  speed: z.number(),
  pitchShift: z.number(),
  pitchVariance: z.number(),
  duration: z.number(),
});

const request = z.object({ voice: z.string(), text: z.string(), language: z.string(), delivery });

/** What every worker starts with: the modules of the engines, and what each engine's `prepare` gave, by its id. */
export const preparation = z.object({
  modules: z.array(z.string()),
  prepared: z.map(z.string(), z.unknown()),
});

/** Everything that is done off the event loop. `encoding: 'none'` speaks for the timing alone. */
export const job = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('speak'),
    engine: z.string(),
    request,
    /** The file of whom to sound like, for an engine that clones. */
    sample: bytes.optional(),
    encoding: z.enum([...encodings, 'none']),
  }),
  z.object({ kind: z.literal('analyse'), file: bytes }),
  z.object({ kind: z.literal('prepare') }),
]);

const phoneme = z.object({ symbol: z.string(), start: z.number(), duration: z.number() });

/** What `speak` gives: a sentence each time, then what the encoder held back (0 seconds). */
export const spokenPiece = z.object({
  audio: bytes,
  seconds: z.number(),
  sampleRate: z.number(),
  phonemes: z.array(phoneme),
});

/** What `analyse` gives, once. */
export const sampleFacts = z.object({
  seconds: z.number(),
  pitch: z.number().nullable(),
  spread: z.number().nullable(),
  rate: z.number(),
});

export type Preparation = z.output<typeof preparation>;
export type Job = z.output<typeof job>;
export type SpeakJob = Extract<Job, { kind: 'speak' }>;
export type SpokenPiece = z.output<typeof spokenPiece>;
