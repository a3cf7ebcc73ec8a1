import { render, renderEach } from '@herald-speech/audio';
import type { AccountPiece, Text } from '@herald-speech/client';
import type { Part, RenderOptions } from '@herald-speech/audio';
import type { NodeMessage } from 'node-red';
import type { Delivered, CheckedDestination } from '../output/destination.js';
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
interface Announced {
  delivered: Delivered<AccountPiece>;
  spoken: RenderedSpeech;
  /** All parts so far. */
  parts: readonly PartWithoutAudio[];
  /** True if parts follow. */
  isEarly: boolean;
}

interface AnnounceOptions extends Omit<RenderOptions<AccountPiece>, 'live'> {
  /** Called with each part before it is delivered. */
  onPart(part: PartWithoutAudio): void;
  /** Called with all parts when the text is done, if the last result was early. */
  onEnd(spoken: RenderedSpeech): void;
  /** Resolves when earlier messages have left. */
  turn(): Promise<void>;
}

/**
 * Renders pieces and delivers them.
 * @throws SpeechError
 */
export async function* announce(
  pieces: AsyncIterable<AccountPiece>,
  destination: CheckedDestination,
  { onPart, onEnd, turn, ...options }: AnnounceOptions,
): AsyncGenerator<Announced, void, undefined> {
  const { separate, live } = destination;
  const rendering = await (separate ? renderEach : render)(pieces, { ...options, live });
  const { mime, sampleRate, encoding } = rendering;
  const properties = { mime, sampleRate, encoding, warnings: destination.warnings };
  const parts: PartWithoutAudio[] = [];
  let hasEnded = false;
  let wasEarly = false;
  async function* noted() {
    for await (const part of rendering.parts) {
      const spoken = withoutAudio(part);
      parts.push(spoken);
      onPart(spoken);
      yield part;
    }
    hasEnded = true;
  }
  try {
    for await (const delivered of destination.deliver({ ...rendering, parts: noted() }, turn)) {
      const { isLast } = delivered;
      const described = destination.separate ? parts.slice(-1) : parts;
      const isEarly = destination.separate ? !isLast : !hasEnded;
      yield { delivered, spoken: { ...properties, parts: described }, parts, isEarly };
      wasEarly = isEarly;
    }
    if (wasEarly) onEnd({ ...properties, parts });
  } finally {
    // A destination can fail before it reads a part. Then the service must not go on.
    await rendering.close();
  }
}

/** Returns a part without its audio. */
export function withoutAudio({ piece, repetition, start, duration }: Part<AccountPiece>): PartWithoutAudio {
  const { audio: _audio, ...described } = piece;
  return { piece: described, repetition, start, duration };
}

/**
 * Sends the results of a message. Results before the end leave as soon as the message has its turn. After an early URL, the
 * next messages leave while the speech goes on.
 * @param messageOf builds the message of a result
 * @returns the last message, or no message if an early one was the only one
 */
export async function sendResults(
  results: AsyncIterable<Announced>,
  { send, handOver }: Pick<Turn, 'send' | 'handOver'>,
  messageOf: (result: Announced) => NodeMessage,
): Promise<NodeMessage | NodeMessage[]> {
  let last: NodeMessage | NodeMessage[] = [];
  for await (const result of results) {
    const message = messageOf(result);
    if (!result.isEarly) {
      last = message;
      continue;
    }
    await send(message);
    if (result.delivered.isLast) handOver();
  }
  return last;
}
