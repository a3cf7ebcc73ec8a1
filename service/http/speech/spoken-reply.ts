import { once } from 'node:events';
import type { SignedMark } from '@herald-speech/client/audio';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Charge } from '../../accounts/charge.js';
import { roundedSeconds } from '../../kit/units.js';
import type { Phoneme } from '../../voices/engines/engine.js';
import { speechFile, SpeechStream } from '../../kit/audio/speech-file.js';
import type { Call } from '../route.js';
import type { SpeakingVoice } from '../../speech/start-speech.js';
import type { SynthesizedAudio } from '../../voices/workers/jobs.js';

/** The form of the reply (docs/interface.md#audio). */
export interface SpokenForm {
  /** The container. */
  format: 'wav' | 'mp3';
  /** Whether the reply is JSON with phonemes. */
  phonemes: boolean;
  /** The voice that speaks, which may change until the last piece. */
  voice: SpeakingVoice;
  /** The mark of synthetic speech; undefined for a reply without a mark. */
  mark: SignedMark | undefined;
}

const mimes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

/** Header of the seconds of audio. This is the amount charged (docs/interface.md#headers). */
export const LENGTH_HEADER = 'X-Audio-Length';

/** Header of speech with an approximated custom voice (docs/interface.md#local-service). */
export const APPROXIMATE_HEADER = 'X-Voice-Approximate';

/** Header or trailer of speech with a simple voice in place of a natural voice: the id of the simple voice. */
export const FALLBACK_HEADER = 'X-Voice-Fallback';

/** Header or trailer with the failure of the natural voice, percent-encoded. */
export const REASON_HEADER = 'X-Voice-Fallback-Reason';
/** Characters of a reason in a header. */
const MAX_REASON = 500;

/**
 * Returns the whole speech as one reply. Settles the charge before the reply is sent.
 * @throws the error of the pieces; AccountsError `out-of-credits`. Nothing is charged then.
 */
export async function wholeSpeechReply(
  pieces: AsyncIterable<SynthesizedAudio>,
  form: SpokenForm,
  charge: Charge,
): Promise<Response> {
  const { format, phonemes } = form;
  const spoken: SynthesizedAudio[] = [];
  for await (const piece of pieces) {
    charge.add(piece.seconds);
    spoken.push(piece);
  }
  const audio = container(spoken, form);
  const timings = toTimings(spoken.flatMap((piece) => piece.phonemes));
  charge.settle();
  const headers = { [LENGTH_HEADER]: String(charge.seconds), ...voiceHeaders(form.voice) };
  if (!phonemes) return new Response(audio, { headers: { ...headers, 'content-type': mimes[format] } });
  return Response.json({ audio_base64: audio.toString('base64'), phonemes: timings }, { headers });
}

/**
 * Sends the speech piece by piece, one sentence each, with its length in a trailer (docs/interface.md#streams). The
 * headers wait for the first piece, so that a request that fails at once gets its error status. A later failure breaks
 * the connection. The audio that was sent is charged.
 * @throws the error of the pieces; AccountsError `out-of-credits`. If headers were sent, the connection is closed.
 */
export async function streamedSpeechReply(
  pieces: AsyncIterable<SynthesizedAudio>,
  form: SpokenForm,
  charge: Charge,
  { outgoing, signal }: Pick<Call, 'outgoing' | 'signal'>,
): Promise<Response> {
  const stream = new SpeechStream(form.format, form.mark);
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      charge.add(piece.seconds);
      if (!outgoing.headersSent) outgoing.writeHead(200, streamHeaders(form));
      if (!outgoing.write(chunkOf(stream.add(piece), piece.phonemes, form)))
        await once(outgoing, 'drain', { signal });
    }
    const end = stream.end();
    if (end.length > 0) outgoing.write(chunkOf(end, [], form));
    charge.settle();
  } catch (error) {
    if (outgoing.headersSent) {
      outgoing.destroy();
      charge.settle();
    }
    throw error;
  }
  outgoing.addTrailers({ [LENGTH_HEADER]: String(charge.seconds), ...voiceTrailers(form.voice) });
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

/** Returns the headers of speech that another voice than the requested one speaks. */
export function voiceHeaders({ approximate, voiceFallback, fallbackReason }: SpeakingVoice) {
  const reason =
    fallbackReason &&
    encodeURIComponent(Array.from(Buffer.from(fallbackReason).toString()).slice(0, MAX_REASON).join(''));
  return {
    ...(approximate && { [APPROXIMATE_HEADER]: 'true' }),
    ...(voiceFallback !== undefined && { [FALLBACK_HEADER]: voiceFallback }),
    ...(reason !== undefined && { [REASON_HEADER]: reason }),
  };
}

/** Returns the trailers of a stream: its natural voice may have failed after the headers were sent. */
export const voiceTrailers = (voice: SpeakingVoice): Record<string, string> =>
  voice.voiceFallback === undefined ? {} : voiceHeaders(voice);

function streamHeaders(form: SpokenForm) {
  const { format, phonemes } = form;
  return {
    ...voiceHeaders(form.voice),
    'content-type': phonemes ? 'application/x-ndjson' : mimes[format],
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    trailer: LENGTH_HEADER,
  };
}

const chunkOf = (audio: Uint8Array, phonemes: readonly Phoneme[], form: SpokenForm): Uint8Array | string =>
  form.phonemes ? lines(audio, phonemes) : audio;

/** Returns lines of JSON. Each line has either audio or phonemes (docs/interface.md#streams). */
function lines(audio: Uint8Array, phonemes: readonly Phoneme[]): string {
  const sound = { audio_base64: Buffer.from(audio).toString('base64'), phonemes: null };
  const timings = { audio_base64: null, phonemes: toTimings(phonemes) };
  const filled = [...(audio.length > 0 ? [sound] : []), ...(phonemes.length > 0 ? [timings] : [])];
  return filled.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function container(spoken: readonly SynthesizedAudio[], { format, mark }: SpokenForm): Buffer {
  const audio = Buffer.concat(spoken.map((piece) => piece.audio));
  const [first] = spoken;
  if (first === undefined) return audio;
  const { sampleRate } = first;
  const seconds = spoken.reduce((sum, piece) => sum + piece.seconds, 0);
  return Buffer.concat(speechFile(format, { audio, sampleRate, seconds }, mark));
}

/** Returns the symbols, start times and durations as three arrays (docs/interface.md#phonemes). */
function toTimings(phonemes: readonly Phoneme[]) {
  return {
    symbols: phonemes.map(({ symbol }) => symbol),
    start_times_seconds: phonemes.map(({ start }) => roundedSeconds(start)),
    durations_seconds: phonemes.map(({ duration }) => roundedSeconds(duration)),
  };
}
