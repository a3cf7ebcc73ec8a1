import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ReadableStream } from 'node:stream/web';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Phoneme } from './engines/engine.js';
import { speechHeader } from './audio/wav.js';
import type { SpokenPiece } from './workers/jobs.js';

/** What the caller gets: the container, and whether the phonemes come along in JSON. */
export interface SpokenForm {
  format: 'wav' | 'mp3';
  phonemes: boolean;
}

const mimes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

/** Seconds of audio, which is what is charged (operations.md, Speech). */
const LENGTH_HEADER = 'x-audio-length';

/** All of the speech in one reply: audio, or JSON with phonemes. */
export async function wholeReply(
  pieces: ReadableStream<SpokenPiece>,
  { format, phonemes }: SpokenForm,
): Promise<Response> {
  const spoken: SpokenPiece[] = [];
  for await (const piece of pieces) spoken.push(piece);
  const audio = container(spoken, format);
  const headers = { [LENGTH_HEADER]: lengthOf(spoken) };
  if (!phonemes) return new Response(audio, { headers: { ...headers, 'content-type': mimes[format] } });
  const marks = toMarks(spoken.flatMap((piece) => piece.phonemes));
  return Response.json({ audio_base64: audio.toString('base64'), phonemes: marks }, { headers });
}

/**
 * The speech while it is made: a sentence at a time, with its length as a trailer (operations.md, Speech). The first
 * piece is awaited before anything is sent, so that a request that can't be spoken still gets its proper status; what
 * fails later can only break the connection off.
 */
export async function streamedReply(
  pieces: ReadableStream<SpokenPiece>,
  form: SpokenForm,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<Response> {
  const spoken: SpokenPiece[] = [];
  try {
    for await (const piece of pieces) {
      if (spoken.length === 0) outgoing.writeHead(200, streamHeaders(form));
      const isWritable = outgoing.write(chunkOf(piece, form, spoken.length === 0));
      spoken.push({ ...piece, audio: new Uint8Array() });
      if (!isWritable) await once(outgoing, 'drain', { signal });
    }
  } catch (error) {
    if (!outgoing.headersSent) throw error;
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  outgoing.addTrailers({ [LENGTH_HEADER]: lengthOf(spoken) });
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

function streamHeaders({ format, phonemes }: SpokenForm) {
  return {
    'content-type': phonemes ? 'application/x-ndjson' : mimes[format],
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    trailer: LENGTH_HEADER,
  };
}

function chunkOf(piece: SpokenPiece, { format, phonemes }: SpokenForm, isFirst: boolean): Buffer | string {
  const header = isFirst && format === 'wav' ? speechHeader(piece.sampleRate) : Buffer.alloc(0);
  const audio = Buffer.concat([header, piece.audio]);
  return phonemes ? lines(audio, piece.phonemes) : audio;
}

/** Each line has one of the two filled (operations.md, Speech). */
function lines(audio: Buffer, phonemes: readonly Phoneme[]): string {
  const sound = { audio_base64: audio.toString('base64'), phonemes: null };
  const marks = { audio_base64: null, phonemes: toMarks(phonemes) };
  const filled = [...(audio.length > 0 ? [sound] : []), ...(phonemes.length > 0 ? [marks] : [])];
  return filled.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function container(spoken: readonly SpokenPiece[], format: SpokenForm['format']): Buffer {
  const audio = Buffer.concat(spoken.map((piece) => piece.audio));
  const [first] = spoken;
  if (format === 'mp3' || first === undefined) return audio;
  return Buffer.concat([speechHeader(first.sampleRate, audio.length), audio]);
}

function lengthOf(spoken: readonly SpokenPiece[]): string {
  return String(rounded(spoken.reduce((seconds, piece) => seconds + piece.seconds, 0)));
}

/** Sums of binary fractions end in noise; a tenth of a millisecond is finer than a sample at 8 kHz. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 10_000) / 10_000;
}

/** Three arrays of one length (operations.md, Speech). */
function toMarks(phonemes: readonly Phoneme[]) {
  return {
    symbols: phonemes.map(({ symbol }) => symbol),
    start_times_seconds: phonemes.map(({ start }) => rounded(start)),
    durations_seconds: phonemes.map(({ duration }) => rounded(duration)),
  };
}
