import { z } from 'zod';
import { AudioError, describeAudio, parseAudio, type ParsedAudio } from '../audio/join.js';
import { codeOfStatus, SpeechError } from '../errors.js';
import type { Operation, ResponseOf } from '../interface/operation.js';
import { phonemes, type Phonemes } from '../interface/schemas.js';
import type { HttpReply } from './exchange.js';
import type { TransportOptions } from './transport-options.js';
import { audioProblem, type Text, text as message } from '../messages.js';

/** A checked reply. */
export interface Received<O extends Operation> {
  value: ResponseOf<O>;
  /** The audio of the reply in parsed form; undefined if the reply has none. */
  audio?: ParsedAudio;
}

/**
 * Checks a reply against its operation.
 * @throws SpeechError the failure of the status; `bad-reply` for a reply that does not match the interface; `no-reply`
 *   for incomplete audio or JSON
 */
export function readReply<O extends Operation>(
  operation: O,
  reply: HttpReply,
  { maxRetryAfter }: Pick<TransportOptions, 'maxRetryAfter'>,
): Received<O> {
  const { status } = reply;
  if (status === 404 && operation.notFound !== undefined && typeOf(reply) !== 'text/html') {
    return { value: checked(operation, operation.notFound, status) };
  }
  if (status < 200 || status > 299) throw refusal(reply, maxRetryAfter);
  if (operation.reply === 'audio') return readAudio<O>(reply);
  const content = operation.reply === 'empty' ? readEmpty(reply) : readJson(reply);
  return { value: checked(operation, content, status) };
}

function checked<O extends Operation>(operation: O, value: unknown, status: number): ResponseOf<O> {
  const parsed = operation.response.safeParse(value);
  if (parsed.success) return parsed.data as ResponseOf<O>;
  throw badReply(message('reply-mismatch', { fields: unexpected(parsed.error.issues) }), status);
}

/** Describes the invalid fields without their values: a reply can be private and must not be logged. */
function unexpected(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`).join('; ');
}

function badReply(message: Text, status: number): SpeechError {
  return new SpeechError('bad-reply', message, { status });
}

/** Returns the media type in lower case, without parameters; '' for a reply without a content type. */
function typeOf({ headers }: HttpReply): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase().slice(0, 60) ?? '';
}

/** Accepts JSON besides an empty body, but no other content: it may be the page of a proxy. */
function readEmpty(reply: HttpReply): undefined {
  if (reply.body.length > 0 && !typeOf(reply).endsWith('json')) throw wrongType(reply, message('empty-body'));
}

function readJson(reply: HttpReply): unknown {
  if (!typeOf(reply).endsWith('json')) throw wrongType(reply, 'JSON');
  return parseJson(reply.body.toString('utf8'), reply.status);
}

function wrongType(reply: HttpReply, expected: Text | 'JSON'): SpeechError {
  const type = typeOf(reply);
  const words =
    type === '' ? message('reply-untyped', { expected }) : message('reply-type', { type, expected });
  return badReply(words, reply.status);
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SpeechError('no-reply', message('reply-json'), { status });
  }
}

/** A JSON reply with phonemes (docs/interface.md#audio). A line of NDJSON has one of the two fields. */
const speechJson = z.object({ audio_base64: z.string().nullish(), phonemes: phonemes.nullish() });

/** Reads audio: a file, JSON with phonemes, or NDJSON with phonemes (docs/interface.md#streams). */
function readAudio<O extends Operation>(reply: HttpReply): Received<O> {
  const type = typeOf(reply);
  if (type === 'application/json') return fromLines([reply.body.toString('utf8')], reply);
  if (type === 'application/x-ndjson') return fromLines(reply.body.toString('utf8').split('\n'), reply);
  if (!type.startsWith('audio/') && type !== 'application/octet-stream')
    throw wrongType(reply, message('audio'));
  return speechOf(reply.body, reply);
}

function fromLines<O extends Operation>(lines: readonly string[], reply: HttpReply): Received<O> {
  const pieces: Buffer[] = [];
  const marks: Phonemes[] = [];
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const parsed = speechJson.safeParse(parseJson(line, reply.status));
    if (!parsed.success) throw badReply(message('reply-phonemes'), reply.status);
    if (parsed.data.audio_base64) pieces.push(Buffer.from(parsed.data.audio_base64, 'base64'));
    if (parsed.data.phonemes) marks.push(parsed.data.phonemes);
  }
  return speechOf(Buffer.concat(pieces), reply, marks);
}

/** Builds the speech reply. Its parts are checked already, so its schema is not applied to it again. */
function speechOf<O extends Operation>(
  bytes: Uint8Array,
  reply: HttpReply,
  marks: readonly Phonemes[] = [],
): Received<O> {
  const audio = completeAudio(bytes, reply.status);
  const { format, mime, duration } = describeAudio(audio);
  const charged = chargedSeconds(reply);
  const value = {
    audio: bytes,
    format,
    mime,
    duration,
    ...(charged !== undefined && { charged }),
    ...(marks.length > 0 && { phonemes: merged(marks) }),
  };
  return { value: value as ResponseOf<O>, audio };
}

function merged(marks: readonly Phonemes[]): Phonemes {
  return {
    symbols: marks.flatMap(({ symbols }) => symbols),
    start_times_seconds: marks.flatMap((mark) => mark.start_times_seconds),
    durations_seconds: marks.flatMap((mark) => mark.durations_seconds),
  };
}

/** A status of 200 does not prove that the file is complete: half a sentence must not pass as speech. */
function completeAudio(bytes: Uint8Array, status: number): ParsedAudio {
  try {
    return parseAudio(bytes);
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    const code = error.kind === 'incomplete' ? 'no-reply' : 'bad-reply';
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
  const { status } = reply;
  const service = errorText(reply.body.toString('utf8'));
  return new SpeechError(codeOfStatus(status), refusalText(status, service), {
    status,
    service,
    retryAfter: retryAfter(reply, maxRetryAfter),
  });
}

/**
 * Describes a status in plain words with the fix. The text of the service appears only for a status whose cause it alone
 * knows; otherwise it is in `SpeechError.service`.
 */
function refusalText(status: number, service: string | undefined): Text {
  if (status >= 500) return message('refused-5xx', { status });
  if (isRefusal(status)) return message(`refused-${status}`);
  return service === undefined
    ? message('replied', { status })
    : message('replied-text', { status, service });
}

const REFUSALS = [401, 402, 403, 408, 413, 415, 429] as const;
const isRefusal = (status: number): status is (typeof REFUSALS)[number] =>
  REFUSALS.some((refusal) => refusal === status);

/** UTF-16 code units of the service's error text in an error. */
const MAX_ERROR_TEXT = 300;
const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('; '))]);
const errorBody = z.object({
  message: z.union([text, z.object({ message: text }).transform(({ message }) => message)]),
});

/** Returns undefined for a body that is not an error of the interface, such as the HTML page of a proxy. */
function errorText(body: string): string | undefined {
  try {
    const parsed = errorBody.safeParse(JSON.parse(body));
    const found = parsed.success ? parsed.data.message : '';
    return found === '' ? undefined : found.slice(0, MAX_ERROR_TEXT);
  } catch {
    return undefined;
  }
}

/** Matches an HTTP date (RFC 9110, 5.6.7) and an ISO date. `Date.parse` also accepts other texts, such as "-5". */
const DATE = /^[A-Z][a-z]{2}.*\d|^\d{4}-\d{2}-\d{2}T/;

/** Returns the seconds of a Retry-After header, at most `most`: a number or an HTTP date (RFC 9110, 10.2.3). */
function retryAfter({ headers }: HttpReply, most: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  const isNumber = /^\d+(\.\d+)?$/.test(value);
  const seconds = isNumber ? Number(value) : DATE.test(value) ? secondsUntil(value) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(seconds, most);
}

function secondsUntil(date: string): number {
  return Math.max(0, Math.ceil((Date.parse(date) - Date.now()) / 1000));
}
