import { z } from 'zod';
import { SpeechError } from '../base/errors.js';
import { phonemes, type Phonemes } from '../interface/speech.js';
import { text as message } from '../base/messages.js';
import type { HttpReply } from './exchange.js';

/** The content of a JSON reply to a speech request. */
interface SpeechJson {
  audio: Buffer;
  marks: Phonemes[];
}

/** A JSON reply with phonemes (docs/interface.md#audio). A line of NDJSON has one of the two fields. */
const speechJson = z.object({ audio_base64: z.string().nullish(), phonemes: phonemes().nullish() });

/**
 * Reads a speech reply in JSON or NDJSON (docs/interface.md#streams).
 * @param maxJsonBytes limit of the reply without its audio: parsed JSON can take 50 times the memory of its text
 * @throws SpeechError `bad-reply` for a complete reply without audio, `no-reply` for incomplete JSON
 */
export function readSpeechJson(
  { body, status }: HttpReply,
  form: 'json' | 'lines',
  maxJsonBytes: number,
): SpeechJson {
  const audio: Buffer[] = [];
  const marks: Phonemes[] = [];
  let jsonBytes = 0;
  const count = (bytes: number) => {
    jsonBytes += bytes;
    if (jsonBytes > maxJsonBytes) throw bad(message('reply-large', { limit: maxJsonBytes }), status);
  };
  for (const line of form === 'json' ? [body] : linesOf(body, count)) {
    const { audio: piece, rest } = withoutAudio(line, status);
    count(rest.length);
    const parsed = speechJson.safeParse(parseJson(rest.toString('utf8'), status));
    if (!parsed.success) throw bad(message('reply-phonemes'), status);
    audio.push(piece);
    if (parsed.data.phonemes) marks.push(parsed.data.phonemes);
  }
  const bytes = Buffer.concat(audio);
  // The service has completed the reply, and a second request could be charged again.
  if (bytes.length === 0) throw bad(message('reply-no-audio'), status);
  return { audio: bytes, marks };
}

/** @throws SpeechError `no-reply` for incomplete JSON */
export function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw incomplete(status);
  }
}

/**
 * Yields the lines that are not blank.
 * @param count receives the bytes of line ends and blank lines: without a limit, 30 MB of line ends block Node.js for seconds
 */
function* linesOf(body: Buffer, count: (bytes: number) => void): Generator<Buffer> {
  for (let start = 0; start < body.length;) {
    const found = body.indexOf('\n', start);
    const end = found < 0 ? body.length : found;
    count(1);
    if (end > start) {
      const line = body.subarray(start, end);
      if (line.some((byte) => byte > SPACE)) yield line;
      else count(line.length);
    }
    start = end + 1;
  }
}

const SPACE = 0x20;
const FIELD = '"audio_base64"';

const QUOTE = /^\s*:\s*"/;

/** Cuts the base64 audio out of a JSON text, so that the audio is not parsed as JSON. */
function withoutAudio(line: Buffer, status: number): { audio: Buffer; rest: Buffer } {
  const field = line.indexOf(FIELD);
  const after = field + FIELD.length;
  const [opening] = (field < 0 ? null : QUOTE.exec(line.toString('latin1', after, after + 50))) ?? [];
  if (opening === undefined) return { audio: Buffer.alloc(0), rest: line };
  const start = after + opening.length;
  const end = line.indexOf('"', start);
  if (end < 0) throw incomplete(status);
  const rest = Buffer.concat([line.subarray(0, start), line.subarray(end)]);
  return { audio: fromBase64(line.toString('latin1', start, end)), rest };
}

/** Decodes base64 from a JSON text, which may contain "\/" for "/". */
function fromBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\/', '/'), 'base64');
}

function bad(words: ReturnType<typeof message>, status: number): SpeechError {
  return new SpeechError('bad-reply', words, { status });
}

function incomplete(status: number): SpeechError {
  return new SpeechError('no-reply', message('reply-json'), { status });
}
