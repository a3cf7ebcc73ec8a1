import { z } from 'zod';

/** Where eSpeak's settings end. */
export const RATE = { min: 80, neutral: 175, max: 450 };
export const LEVEL = { min: 0, neutral: 50, max: 99 };

/** UTF-16 units of one request: a sentence. */
export const MAX_TEXT = 400;
/** Seconds of audio for one request: far more than a sentence takes at the lowest rate. */
export const MAX_SECONDS = 300;
const MAX_SAMPLE_RATE = 48_000;
const MAX_MARKS = 100_000;
/** More than any word, sign or number has for each of its characters. */
const MAX_KANA_PER_UNIT = 12;

const level = z.number().min(LEVEL.min).max(LEVEL.max);

/** One sentence, to be spoken. */
const utteranceRequest = z.object({
  kind: z.literal('utter'),
  /** eSpeak's name of a language and a variant, like `de+f2`. */
  voice: z.string().max(40),
  text: z.string().max(MAX_TEXT),
  /** Words a minute. */
  rate: z.number().min(RATE.min).max(RATE.max),
  pitch: level,
  /** How far the pitch moves. */
  range: level,
});

/** A part of a Japanese text, to be read in kana. */
const readingRequest = z.object({ kind: z.literal('read'), text: z.string().max(MAX_TEXT) });

/** What goes to eSpeak's process. */
export const childRequest = z.discriminatedUnion('kind', [utteranceRequest, readingRequest]);

/** Something begins here, in seconds: a sound (its IPA, `''` for none), or with `null` a word or an end. */
const mark = z.object({ at: z.number(), symbol: z.string().nullable() });

const utterance = z.object({
  kind: z.literal('spoken'),
  samples: z
    .instanceof(Int16Array)
    .refine(({ length }) => length <= MAX_SECONDS * MAX_SAMPLE_RATE, 'more audio than expected'),
  sampleRate: z.number().min(1).max(MAX_SAMPLE_RATE),
  marks: z.array(mark).max(MAX_MARKS),
});

const reading = z.object({ kind: z.literal('read'), kana: z.string().max(MAX_TEXT * MAX_KANA_PER_UNIT) });

/** What comes back: exactly one for each request, in order. */
export const childReply = z.discriminatedUnion('kind', [
  utterance,
  reading,
  z.object({ kind: z.literal('failed'), message: z.string().max(1000) }),
]);

export type Mark = z.output<typeof mark>;
export type UtteranceRequest = Omit<z.output<typeof utteranceRequest>, 'kind'>;
export type Utterance = z.output<typeof utterance>;
export type ChildRequest = z.output<typeof childRequest>;
export type ChildReply = z.output<typeof childReply>;
