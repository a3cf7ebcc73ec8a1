import { z } from '#zod';
import { SpeechError } from '../../base/errors.js';
import { lazy } from '../../base/lazy.js';
import { text } from '../../base/messages.js';
import { issuesText, rule } from '../../interface/describe-issues.js';
import { between } from '../../interface/parts.js';

/** The settings of an OpenAI-compatible service. */
export interface OpenAiOptions {
  /** The model of requests without one. Default: `tts-1`. */
  model?: string | undefined;
  /** The names of the voices of a service that lists none. Default: the usual names of the API. */
  voices?: readonly string[] | undefined;
  /** How to speak, for requests without a style. Default: as the model speaks. */
  instructions?: string | undefined;
  /** Longest text of one request, in UTF-16 code units. Default: 4,096. */
  maxTextLength?: number | undefined;
}

/** The settings of each request to one service. */
export interface OpenAiSettings {
  model: string;
  voices: readonly string[];
  instructions: string | undefined;
  maxTextLength: number;
}

/** The model that the API had first. Most compatible services accept its name for their own model. */
const DEFAULT_MODEL = 'tts-1';

/** The limit of the API (docs/upstreams.md). */
const DEFAULT_TEXT_LENGTH = 4096;

/** The longest text that the setting permits, in UTF-16 code units. Its audio must fit into memory. */
const MAX_TEXT_LENGTH = 20_000;

/** Voices that a user can type. */
const MAX_TYPED_VOICES = 1000;

/** The names that the API documents. Most compatible services map them to their own voices. */
const USUAL_VOICES: readonly string[] = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
];

const schema = lazy(() => {
  const word = z.string().trim();
  const voice = word.regex(/^[^\s\p{Surrogate}]+$/u, rule(text('rule-identifier')));
  return z.object({
    model: word.max(200).optional(),
    voices: z.array(voice.max(200)).max(MAX_TYPED_VOICES).optional(),
    instructions: word.max(MAX_TEXT_LENGTH).optional(),
    maxTextLength: between(z.int(), 1, MAX_TEXT_LENGTH).optional(),
  });
});

/**
 * Checks the options and fills in the defaults. A blank text counts as missing.
 * @throws SpeechError `not-configured`; the message names the option
 */
export function openAiSettings(options: OpenAiOptions): OpenAiSettings {
  const { success, data, error } = schema().safeParse(options);
  if (!success)
    throw new SpeechError(
      'not-configured',
      issuesText(error.issues, options, (field) => `upstream.${field}`),
    );
  const { model, voices = [], instructions, maxTextLength = DEFAULT_TEXT_LENGTH } = data;
  return {
    model: model || DEFAULT_MODEL,
    voices: voices.length > 0 ? voices : USUAL_VOICES,
    instructions: instructions || undefined,
    maxTextLength,
  };
}
