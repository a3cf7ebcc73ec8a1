import { z } from 'zod';

/** Limits of eSpeak's rate in words per minute. */
export const RATE = { min: 80, neutral: 175, max: 450 };
/** Limits of eSpeak's pitch and range. */
export const LEVEL = { min: 0, neutral: 50, max: 99 };

/** Maximum UTF-16 code units of a request, which is one sentence. */
export const MAX_TEXT = 400;
/** Maximum number of texts of a request for phonemes. */
export const MAX_TEXTS = 500;
/** Maximum seconds of audio for a request. A sentence at the lowest rate is far shorter. */
export const MAX_REQUEST_SECONDS = 300;
const MAX_SAMPLE_RATE = 48_000;
const MAX_MARKS = 100_000;
/** Maximum kana for a character of a word, sign or number. */
const MAX_KANA_PER_UNIT = 12;
/** Maximum UTF-16 code units of phonemes for one of the text, which may be a digit or an emoji. */
const MAX_PHONEME_SIGNS = 100;

/** A text of at most `limit` UTF-16 code units. The method `max` of zod counts code points. */
const textOf = (limit: number) => z.string().refine(({ length }) => length <= limit);

const level = z.number().min(LEVEL.min).max(LEVEL.max);

/** Speaks one sentence. */
const utteranceRequest = z.object({
  kind: z.literal('utter'),
  /** eSpeak's name of a language and a variant, such as `de+woman`. */
  voice: z.string().max(40),
  text: textOf(MAX_TEXT),
  /** Words per minute. */
  rate: z.number().min(RATE.min).max(RATE.max),
  pitch: level,
  /** Pitch range. */
  range: level,
});

/** Converts a part of a Japanese text to kana. */
const readingRequest = z.object({ kind: z.literal('read'), text: textOf(MAX_TEXT) });

/** Returns the phonemes of each text. */
const phonemesRequest = z.object({
  kind: z.literal('phonemes'),
  /** eSpeak's name of a language, such as `en-us`. */
  voice: z.string().max(40),
  texts: z.array(textOf(MAX_TEXT)).max(MAX_TEXTS),
});

/** A request to eSpeak's process. */
export const childRequest = z.discriminatedUnion('kind', [utteranceRequest, readingRequest, phonemesRequest]);

/** The start of a sound in seconds, with its IPA symbol (`''` for silence). `null` marks a word or an end. */
const mark = z.object({ at: z.number(), symbol: z.string().nullable() });

const utterance = z.object({
  kind: z.literal('spoken'),
  samples: z
    .instanceof(Int16Array)
    .refine(
      ({ length }) => length <= MAX_REQUEST_SECONDS * MAX_SAMPLE_RATE,
      `expected at most ${MAX_REQUEST_SECONDS} s of audio`,
    ),
  sampleRate: z.number().min(1).max(MAX_SAMPLE_RATE),
  marks: z.array(mark).max(MAX_MARKS),
});

const reading = z.object({ kind: z.literal('read'), kana: textOf(MAX_TEXT * MAX_KANA_PER_UNIT) });

/**
 * The phonemes of each text in IPA with stress marks. `_` separates phonemes, a space separates words, ` | ` separates
 * clauses. A change of language has a mark such as `(en)`.
 */
const phonemes = z.object({
  kind: z.literal('phonemes'),
  texts: z.array(textOf(MAX_TEXT * MAX_PHONEME_SIGNS)).max(MAX_TEXTS),
});

/** A reply of eSpeak's process: one for each request, in order. */
export const childReply = z.discriminatedUnion('kind', [
  utterance,
  reading,
  phonemes,
  z.object({ kind: z.literal('failed'), message: z.string().max(1000) }),
]);

export type EspeakMark = z.output<typeof mark>;
export type UtteranceRequest = Omit<z.output<typeof utteranceRequest>, 'kind'>;
export type PhonemesRequest = Omit<z.output<typeof phonemesRequest>, 'kind'>;
export type EspeakUtterance = z.output<typeof utterance>;
export type ChildRequest = z.output<typeof childRequest>;
export type ChildReply = z.output<typeof childReply>;
