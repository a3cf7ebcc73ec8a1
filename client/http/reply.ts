import { z } from 'zod';
import { AudioError } from '../audio/audio-error.js';
import { inspectAudio } from '../audio/join.js';
import { codeOfStatus, SpeechError } from '../errors.js';
import type { Operation, ResponseOf } from '../interface/operation.js';
import { phonemes } from '../interface/schemas.js';
import type { WireReply } from './transport.js';

/**
 * A reply as its operation describes it.
 * @throws SpeechError what the status means; `bad-reply` for a reply that is not as the interface says; `no-reply` for
 *   audio or JSON that was cut short
 */
export function readReply<O extends Operation>(operation: O, reply: WireReply): ResponseOf<O> {
  const { status } = reply;
  if (status === 404 && operation.notFound !== undefined && typeOf(reply) !== 'text/html') {
    return checked(operation, operation.notFound, status);
  }
  if (status < 200 || status > 299) throw refusal(reply);
  return checked(operation, content(operation, reply), status);
}

function checked<O extends Operation>(operation: O, value: unknown, status: number): ResponseOf<O> {
  const parsed = operation.response.safeParse(value);
  if (parsed.success) return parsed.data as ResponseOf<O>;
  throw badReply(`the reply is not as the interface says: ${unexpected(parsed.error.issues)}`, status);
}

/** Where a reply differs, without its values: what a service answers may be private, and is not ours to log. */
function unexpected(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map(({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`).join('; ');
}

function content(operation: Operation, reply: WireReply): unknown {
  if (operation.reply === 'empty') return readNothing(reply);
  return operation.reply === 'audio' ? readAudio(reply) : readJson(reply);
}

function badReply(message: string, status: number): SpeechError {
  return new SpeechError('bad-reply', message, { status });
}

const typeOf = ({ headers }: WireReply) =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase().slice(0, 60) ?? 'of no type';

/** A page of a proxy is not what "done, and nothing to say" looks like. */
function readNothing(reply: WireReply): undefined {
  if (reply.body.length > 0 && !typeOf(reply).endsWith('json')) {
    throw badReply(`the reply is ${typeOf(reply)} where none was expected: is the URL right?`, reply.status);
  }
}

function readJson(reply: WireReply): unknown {
  const type = typeOf(reply);
  if (!type.endsWith('json'))
    throw badReply(`the reply is ${type} where JSON was expected: is the URL right?`, reply.status);
  return parseJson(reply.body.toString('utf8'), reply.status);
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SpeechError('no-reply', 'the reply is not whole JSON', { status });
  }
}

/** The reply with phonemes (docs/interface.md#audio); a line of NDJSON has one of the two. */
const spoken = z.object({ audio_base64: z.string().nullish(), phonemes: phonemes.nullish() });

/** Audio comes as itself, as JSON with phonemes, or as NDJSON while it is made (docs/interface.md#streams). */
function readAudio(reply: WireReply): unknown {
  const type = typeOf(reply);
  if (type === 'application/json') return fromLines([reply.body.toString('utf8')], reply);
  if (type === 'application/x-ndjson') return fromLines(reply.body.toString('utf8').split('\n'), reply);
  if (!type.startsWith('audio/') && type !== 'application/octet-stream') {
    throw badReply(`the reply is ${type} where audio was expected: is the URL right?`, reply.status);
  }
  return { ...wholeAudio(reply.body, reply.status), ...charged(reply) };
}

function fromLines(lines: readonly string[], reply: WireReply): unknown {
  const pieces: Buffer[] = [];
  const marks: z.output<typeof phonemes>[] = [];
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const parsed = spoken.safeParse(parseJson(line, reply.status));
    if (!parsed.success) throw badReply('the reply with phonemes is not as the interface says', reply.status);
    if (parsed.data.audio_base64) pieces.push(Buffer.from(parsed.data.audio_base64, 'base64'));
    if (parsed.data.phonemes) marks.push(parsed.data.phonemes);
  }
  const audio = wholeAudio(Buffer.concat(pieces), reply.status);
  return { ...audio, ...charged(reply), ...(marks.length > 0 && { phonemes: merged(marks) }) };
}

function merged(marks: readonly z.output<typeof phonemes>[]): z.output<typeof phonemes> {
  return {
    symbols: marks.flatMap(({ symbols }) => symbols),
    start_times_seconds: marks.flatMap((mark) => mark.start_times_seconds),
    durations_seconds: marks.flatMap((mark) => mark.durations_seconds),
  };
}

/** A 200 alone does not make audio: the file must be whole, or half a sentence would pass for speech. */
function wholeAudio(audio: Uint8Array, status: number): object {
  try {
    const { format, mime, duration } = inspectAudio(audio);
    return { audio, format, mime, duration };
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    const code = error.kind === 'incomplete' ? 'no-reply' : 'bad-reply';
    throw new SpeechError(code, `the reply is no whole audio file: ${error.message}`, {
      status,
      cause: error,
    });
  }
}

/** Seconds that were charged: a header, or a trailer where the reply was streamed (docs/interface.md#headers). */
function charged({ headers, trailers }: WireReply): { charged?: number } {
  const seconds = Number(headers['x-audio-length'] ?? trailers['x-audio-length'] ?? Number.NaN);
  return Number.isFinite(seconds) ? { charged: seconds } : {};
}

/** An error reply, whatever a proxy made of it (docs/interface.md#error-body). */
function refusal(reply: WireReply): SpeechError {
  const { status } = reply;
  const service = ownWords(reply.body.toString('utf8'));
  const message =
    service === undefined ? `the service answered ${status}` : `the service answered ${status}: ${service}`;
  return new SpeechError(codeOfStatus(status), message, { status, service, retryAfter: retryAfter(reply) });
}

const MAX_WORDS = 300;
const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('; '))]);
const errorBody = z.object({
  message: z.union([text, z.object({ message: text }).transform(({ message }) => message)]),
});

function ownWords(body: string): string | undefined {
  try {
    const parsed = errorBody.safeParse(JSON.parse(body));
    return parsed.success && parsed.data.message !== '' ? parsed.data.message.slice(0, MAX_WORDS) : undefined;
  } catch {
    return undefined; // HTML of a proxy, or nothing at all: not the service's words.
  }
}

/** Seconds of a Retry-After: a number or an HTTP date (RFC 9110, 10.2.3). */
function retryAfter({ headers }: WireReply): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
