import { z } from 'zod';
import { AudioError, describeAudio, parseAudio, type ParsedAudio } from '../audio/join.js';
import { codeOfStatus, type FailureCode, SpeechError } from '../base/errors.js';
import type { Operation, ResponseOf } from '../interface/operation.js';
import type { Phonemes } from '../interface/speech.js';
import { firstOf } from '../interface/describe-issues.js';
import type { HttpReply } from './exchange.js';
import { MAX_ERROR_TEXT, refusalText, retryAfter } from './refusal.js';
import { parseJson, readSpeechJson } from './speech-json.js';
import type { TransportOptions } from './transport-options.js';
import { audioProblem, type Text, text as message } from '../base/messages.js';
import { truncated } from '../base/short-texts.js';

/** The limits of a reply. */
type ReplyOptions = Pick<TransportOptions, 'maxRetryAfter' | 'maxJsonBytes'>;

/** A checked reply. */
export interface Received<O extends Operation> {
  value: ResponseOf<O>;
  /** The audio of the reply in parsed form; undefined if the reply has none. */
  audio?: ParsedAudio;
  /** Bytes of the reply body. */
  bytes: number;
}

/**
 * Checks a reply against its operation.
 * @param mayBeDone whether the service may have executed an earlier try of the call. The 404 of a repeated DELETE is then a success.
 * @throws SpeechError the failure of the status; `bad-reply` for a reply that does not match the interface; `no-reply`
 *   for incomplete audio or JSON
 */
export function readReply<O extends Operation>(
  operation: O,
  reply: HttpReply,
  options: ReplyOptions,
  mayBeDone: boolean,
): Received<O> {
  const { status } = reply;
  const bytes = reply.body.length;
  if (status === 404 && typeOf(reply) !== 'text/html' && mayBeDone && operation.method === 'DELETE')
    return { value: checked(operation, undefined, status), bytes };
  if (status === 404 && operation.notFound !== undefined && typeOf(reply) !== 'text/html') {
    return { value: checked(operation, operation.notFound, status), bytes };
  }
  if (status < 200 || status > 299) throw refusal(reply, options.maxRetryAfter);
  if (operation.reply === 'audio') return readAudio<O>(reply, options);
  const content = operation.reply === 'empty' ? readEmpty(reply) : readJson(reply);
  return { value: checked(operation, content, status), bytes };
}

function checked<O extends Operation>(operation: O, value: unknown, status: number): ResponseOf<O> {
  const parsed = operation.response.safeParse(value);
  if (parsed.success) return parsed.data as ResponseOf<O>;
  throw mismatch(parsed.error.issues, status);
}

function mismatch(issues: readonly z.core.$ZodIssue[], status: number): SpeechError {
  return badReply(message('reply-mismatch', { fields: unexpected(issues) }), status);
}

/** Describes the invalid fields without their values: a reply can be private and must not be logged. */
function unexpected(issues: readonly z.core.$ZodIssue[]): string {
  const problems = issues.map(({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`);
  return firstOf(problems).join('; ');
}

function badReply(message: Text, status: number): SpeechError {
  return new SpeechError('bad-reply', message, { status });
}

/** Returns the media type in lower case, without parameters; '' for a reply without a content type. */
export function typeOf({ headers }: HttpReply): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase().slice(0, 60) ?? '';
}

/** A JSON body of an operation without content, such as `{"status": "ok"}`. An error is not a success. */
const confirmation = z
  .looseObject({ status: z.unknown().refine((status) => status !== 'error', 'expected no error') })
  .partial()
  .nullable();

/** Accepts JSON besides an empty body, but no other content: it may be the page of a proxy. */
function readEmpty(reply: HttpReply): undefined {
  if (reply.body.length === 0) return;
  if (!typeOf(reply).endsWith('json')) throw wrongType(reply, message('empty-body'));
  const parsed = confirmation.safeParse(readJson(reply));
  if (!parsed.success) throw mismatch(parsed.error.issues, reply.status);
}

function readJson(reply: HttpReply): unknown {
  if (!typeOf(reply).endsWith('json')) throw wrongType(reply, 'JSON');
  return parseJson(reply.body.toString('utf8'), reply.status);
}

/** Returns the error of a reply with another content type than expected. */
export function wrongType(reply: HttpReply, expected: Text | 'JSON'): SpeechError {
  const type = typeOf(reply);
  const words =
    type === '' ? message('reply-untyped', { expected }) : message('reply-type', { type, expected });
  return badReply(words, reply.status);
}

/** Reads audio: a file, JSON with phonemes, or NDJSON with phonemes (docs/interface.md#streams). */
function readAudio<O extends Operation>(reply: HttpReply, { maxJsonBytes }: ReplyOptions): Received<O> {
  const type = typeOf(reply);
  if (type === 'application/json' || type === 'application/x-ndjson') {
    const form = type === 'application/json' ? 'json' : 'lines';
    const { audio, marks } = readSpeechJson(reply, form, maxJsonBytes);
    // Complete JSON proves that the transfer was complete. Lines can be cut between two of them.
    return speechOf(audio, reply, { marks, incomplete: form === 'json' ? 'bad-reply' : 'no-reply' });
  }
  if (!type.startsWith('audio/') && type !== 'application/octet-stream')
    throw wrongType(reply, message('audio'));
  return speechOf(reply.body, reply, { marks: [], incomplete: 'no-reply' });
}

/** Builds the speech reply. Its parts are checked already, so its schema is not applied to it again. */
function speechOf<O extends Operation>(
  bytes: Uint8Array,
  reply: HttpReply,
  { marks, incomplete }: { marks: readonly Phonemes[]; incomplete: FailureCode },
): Received<O> {
  const audio = completeAudio(bytes, reply.status, incomplete);
  const { format, mime, duration } = describeAudio(audio);
  const charged = chargedSeconds(reply);
  const value = {
    audio: bytes,
    format,
    mime,
    duration,
    ...(charged !== undefined && { charged }),
    ...(reply.headers['x-voice-approximate'] === 'true' && { approximate: true }),
    ...voiceFallback(reply),
    ...(marks.length > 0 && { phonemes: merged(marks) }),
  };
  return { value: value as ResponseOf<O>, audio, bytes: reply.body.length };
}

const VOICE_ID = /^[\x21-\x7e]{1,200}$/;

/** UTF-16 code units of the reason for a simple voice. */
const MAX_REASON = 500;

/**
 * Returns the simple voice that spoke in place of the requested one, and why that one failed: headers, or trailers of a streamed
 * reply (docs/interface.md#headers).
 */
function voiceFallback({ headers, trailers }: HttpReply): {
  voiceFallback?: string;
  voiceFallbackReason?: string;
} {
  const valueOf = (name: string) => headers[name] ?? trailers[name];
  const id = valueOf('x-voice-fallback');
  if (id === undefined || !VOICE_ID.test(id)) return {};
  const reason = decoded(valueOf('x-voice-fallback-reason') ?? '');
  return { voiceFallback: id, ...(reason !== '' && { voiceFallbackReason: reason }) };
}

/** Returns a percent-encoded text on one line; '' if it is damaged. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
      .replaceAll(/\p{Cc}+/gu, ' ')
      .slice(0, MAX_REASON);
  } catch {
    return '';
  }
}

function merged(marks: readonly Phonemes[]): Phonemes {
  return {
    symbols: marks.flatMap(({ symbols }) => symbols),
    start_times_seconds: marks.flatMap((mark) => mark.start_times_seconds),
    durations_seconds: marks.flatMap((mark) => mark.durations_seconds),
  };
}

/** A status of 200 does not prove that the file is complete: half a sentence must not pass as speech. */
function completeAudio(bytes: Uint8Array, status: number, incomplete: FailureCode): ParsedAudio {
  try {
    return parseAudio(bytes);
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    const code = error.kind === 'incomplete' ? incomplete : 'bad-reply';
    throw new SpeechError(code, message('reply-audio', { problem: audioProblem(error) }), {
      status,
      cause: error,
    });
  }
}

/** Returns the charged seconds: a header, or a trailer of a streamed reply (docs/interface.md#headers). */
function chargedSeconds({ headers, trailers }: HttpReply): number | undefined {
  const seconds = Number(headers['x-audio-length'] ?? trailers['x-audio-length'] ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** Returns the error of a reply outside 200 to 299, in any form of body (docs/interface.md#error-body). */
function refusal(reply: HttpReply, maxRetryAfter: number): SpeechError {
  const { status, headers } = reply;
  const service = errorText(reply.body.toString('utf8'));
  return new SpeechError(codeOfStatus(status), refusalText(status, service), {
    status,
    service,
    retryAfter: retryAfter(headers, maxRetryAfter),
  });
}

const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('; '))]);
const errorBody = z.object({
  message: z.union([text, z.object({ message: text }).transform(({ message }) => message)]),
});

/** Returns undefined for a body that is not an error of the interface, such as the HTML page of a proxy. */
function errorText(body: string): string | undefined {
  try {
    const parsed = errorBody.safeParse(JSON.parse(body));
    const found = parsed.success ? parsed.data.message : '';
    return found === '' ? undefined : truncated(found, MAX_ERROR_TEXT);
  } catch {
    return undefined;
  }
}
