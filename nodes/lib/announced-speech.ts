import { captionOf, cuesOf, render, renderEach, srt, webVtt } from '@herald-speech/audio';
import type { AccountPiece, Text } from '@herald-speech/client';
import type { Part, RenderOptions } from '@herald-speech/audio';
import type { NodeMessage } from 'node-red';
import type { Delivered, CheckedDestination } from '../output/destination.js';
import type { CaptionFormat } from '../output/rendered-audio.js';
import type { Turn } from '../runtime/turn.js';

/** A part of the output without its audio, which would keep a long text in memory. */
export type PartWithoutAudio = Omit<Part<AccountPiece>, 'data' | 'piece'> & {
  piece: Omit<AccountPiece, 'audio'>;
};

/** The type of the output, and its parts so far. */
export interface RenderedSpeech {
  /** Media type. */
  mime: string;
  /** Hertz. */
  sampleRate: number;
  encoding: string;
  /** The warnings about the destination of the audio. */
  warnings: readonly Text[];
  parts: PartWithoutAudio[];
}

/** A result for the first output, and the parts that it describes: of `pieces` its own part, otherwise all so far. */
export interface Announced {
  delivered: Delivered<AccountPiece>;
  spoken: RenderedSpeech;
  /** All parts so far. */
  parts: readonly PartWithoutAudio[];
  is: ResultKind;
}

/**
 * The kind of a result: a piece before the last one, a URL of audio that still grows, complete audio that speakers still play, or the last
 * result of complete audio.
 */
type ResultKind = 'piece' | 'growing URL' | 'playing' | 'complete';

/** Reports speech: its parts, its results and its end. */
export interface SpeechReporter {
  /** Reports a part before it is delivered. */
  part(part: PartWithoutAudio): void;
  /** Returns the message of a result. */
  message(result: Announced): NodeMessage;
  /** Reports all parts at the end of a growing URL. */
  end(spoken: RenderedSpeech): void;
}

interface AnnounceOptions extends Omit<RenderOptions<AccountPiece>, 'live'> {
  /** Resolves when earlier messages have left. */
  turn(): Promise<void>;
}

/**
 * Renders pieces and delivers them.
 * @throws SpeechError
 */
export async function* renderAnnounced(
  pieces: AsyncIterable<AccountPiece>,
  destination: CheckedDestination,
  { turn, ...options }: AnnounceOptions,
  reporter: Pick<SpeechReporter, 'part' | 'end'>,
): AsyncGenerator<Announced, void, undefined> {
  const { separate, live } = destination;
  const rendering = await (separate ? renderEach : render)(pieces, { ...options, speaker: sourceOf, live });
  const { mime, sampleRate, encoding } = rendering;
  const properties = { mime, sampleRate, encoding, warnings: destination.warnings };
  const parts: PartWithoutAudio[] = [];
  let isSpoken = false;
  let last: ResultKind = 'complete';
  async function* noted() {
    for await (const part of rendering.parts) {
      const spoken = withoutAudio(part);
      parts.push(spoken);
      reporter.part(spoken);
      yield part;
    }
    isSpoken = true;
  }
  const captions = (format: CaptionFormat) => captionsIn[format](cuesOf(parts.map(captionOf)));
  const audio = { ...rendering, parts: noted(), captions };
  try {
    for await (const delivered of destination.deliver(audio, turn)) {
      const own = separate ? parts.slice(-1) : parts;
      if (separate) last = delivered.isLast ? 'complete' : 'piece';
      else if (isSpoken) last = delivered.isPlaying === true ? 'playing' : 'complete';
      else last = 'growing URL';
      yield { delivered, spoken: { ...properties, parts: own }, parts, is: last };
    }
    if (last === 'piece' || last === 'growing URL') reporter.end({ ...properties, parts });
  } finally {
    // A destination can fail before it reads a part. Then the service must not go on.
    await rendering.close();
  }
}

/** Returns the speaker of a piece: blank for the node's account, or the use of a fallback. */
export const sourceOf = ({ takeover }: Pick<AccountPiece, 'takeover'>): string =>
  takeover === undefined ? '' : `${takeover.from} ${takeover.account}`;

const captionsIn = { vtt: webVtt, srt } satisfies Record<CaptionFormat, unknown>;

/** Returns a part without its audio. */
export function withoutAudio({ piece, repetition, start, duration }: Part<AccountPiece>): PartWithoutAudio {
  const { audio: _audio, ...described } = piece;
  return { piece: described, repetition, start, duration };
}

/**
 * Sends the results of a message. Results before the end leave as soon as the message has its turn. After an early URL, and while
 * speakers play, the next messages leave.
 * @returns the last message, or no message if an early one was the only one
 */
export async function sendResults(
  results: AsyncIterable<Announced>,
  { send, handOver }: Pick<Turn, 'send' | 'handOver'>,
  reporter: Pick<SpeechReporter, 'message'>,
): Promise<NodeMessage | NodeMessage[]> {
  let last: NodeMessage | NodeMessage[] = [];
  for await (const result of results) {
    const message = reporter.message(result);
    if (result.is === 'complete') last = message;
    else await send(message);
    if (result.is === 'growing URL' || result.is === 'playing') handOver();
  }
  return last;
}
