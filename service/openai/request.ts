import { between, describeIssues, rule, SPEAKABLE, text } from '@herald-speech/client/interface';
import { z } from 'zod';
import { OpenAiError } from './api-error.js';

/** Maximum length of `input` in characters (Unicode code points), as in the OpenAI API. */
const MAX_INPUT = 4096;

/** The values of `response_format`. */
export const formatNames = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const;
export type FormatName = (typeof formatNames)[number];

const MESSAGES = {
  model: 'expected the name of a model, such as tts-1',
  input: `expected at most ${MAX_INPUT} characters. Send a longer text in several requests`,
  voice: 'expected the name or the id of a voice',
  language: 'expected a language such as "de" or "pt-BR"',
} as const;

/** A voice, as a name or as `{"id": "..."}`. A blank name means the default voice. */
const voice = z.union(
  [z.string(), z.object({ id: z.string().min(1) }).transform(({ id }) => id)],
  MESSAGES.voice,
);

/** The fields of POST /v1/audio/speech (docs/openai.md#fields). Ignores all other fields. */
const fields = z.object({
  model: z.string(MESSAGES.model).min(1, MESSAGES.model),
  input: z
    .string()
    .regex(SPEAKABLE, rule(text('rule-text')))
    .refine((input) => Array.from(input).length <= MAX_INPUT, MESSAGES.input),
  /** Herald's own rule: without it, the default voice speaks. */
  voice: voice.default(''),
  response_format: z.enum(formatNames).default('mp3'),
  speed: between(z.number(), 0.25, 4).default(1),
  stream_format: z.enum(['audio', 'sse']).default('audio'),
  /** Accepted without effect: the local voices follow no instructions. */
  instructions: z.string().optional(),
  /** An addition of Herald: false asks for the complete audio with its length. */
  stream: z.boolean().default(true),
  /** An addition of Herald: the language of the input, for a voice of several languages or a name of the OpenAI API. */
  language: z
    .string()
    .regex(/^[a-z]{2}([-_][a-z\d]{2,8})*$/i, MESSAGES.language)
    .optional(),
});

export type SpeechFields = z.output<typeof fields>;

/**
 * Validates the body of a speech request. A field with the value null counts as missing.
 * @throws OpenAiError 400 that names the first invalid field
 */
export function readSpeechFields(body: object): SpeechFields {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const parsed = fields.safeParse(given);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const param = String(issues[0]?.path[0] ?? '');
  throw new OpenAiError(400, 'invalid_request_error', describeIssues(issues, given), {
    param,
    code: codeOf(issues[0], given, param),
  });
}

function codeOf(issue: z.core.$ZodIssue | undefined, given: object, param: string): string {
  if (!Object.hasOwn(given, param)) return 'missing_required_parameter';
  if (issue?.message === MESSAGES.input) return 'string_above_max_length';
  return issue?.code === 'invalid_type' ? 'invalid_type' : 'invalid_value';
}
