import { AudioError, parseAudio, type ParsedAudio } from '@herald-speech/client/audio';
import { type Dressing, noDressing } from '../dressing/dressing.js';
import { joinedBytes } from '../encoders/bytes.js';
import { OneLoudness } from '../track/one-loudness.js';
import { type PlacedPiece, placedPieces } from './placed-pieces.js';
import type { AudioType, Part, Piece, Rendering, RenderOptions, SeparateRendering } from './rendering.js';
import { startProducer } from '../track/output.js';
import type { Produced, Producer } from '../track/producer.js';

/** Seconds between two repetitions, unless the gap is longer. */
const REPETITION_PAUSE = 1;

/** Pieces of which the first is there already. */
interface Opened<P> {
  first: P;
  source: AsyncIterator<P>;
}

/**
 * Renders pieces of speech as one file. Resolves when the first piece is there. Bounded memory: pulls a piece when the
 * reader pulls a part, and repeats from a temporary file. Returns the iterator of `pieces` at the end.
 * @throws AudioError if a piece is not a complete WAV or MP3 file
 */
export async function render<P extends Piece>(
  pieces: AsyncIterable<P>,
  options: RenderOptions<P> = {},
): Promise<Rendering<P>> {
  const opened = await openPieces(pieces);
  const producer = await startFor(opened, options);
  return {
    ...typeOf(producer),
    parts: partsOf(producer, opened, options),
    close: () => close(producer, opened),
    header: (dataBytes) => producer.header(dataBytes),
    trailer: (dataBytes) => producer.trailer(dataBytes),
  };
}

/**
 * Renders each piece as a complete file. The chime and the silence before the speech are in the first file, each gap in the file
 * before it, the silence after the speech in the last file. Otherwise as `render`.
 * @throws AudioError if a piece is not a complete WAV or MP3 file
 */
export async function renderEach<P extends Piece>(
  pieces: AsyncIterable<P>,
  options: RenderOptions<P> = {},
): Promise<SeparateRendering<P>> {
  const opened = await openPieces(pieces);
  const producer = await startFor(opened, options);
  const parts = filesOf(producer, opened, options);
  return { ...typeOf(producer), parts, close: () => close(producer, opened) };
}

/** A generator that has not started runs no `finally`. */
async function close(producer: Producer, { source }: Opened<unknown>): Promise<void> {
  producer.free();
  await source.return?.();
}

const typeOf = ({ mime, extension, sampleRate, channels, encoding }: Producer): AudioType => ({
  mime,
  extension,
  sampleRate,
  channels,
  encoding,
});

async function openPieces<P>(pieces: AsyncIterable<P>): Promise<Opened<P>> {
  const source = pieces[Symbol.asyncIterator]();
  const next = await source.next();
  if (next.done !== true) return { first: next.value, source };
  throw new AudioError('not-audio', 'no audio to render: pass at least one piece');
}

async function startFor<P extends Piece>(
  { first, source }: Opened<P>,
  options: RenderOptions<P>,
): Promise<Producer> {
  try {
    return await producerFor(first, options);
  } catch (error) {
    await source.return?.();
    throw error;
  }
}

/**
 * @param model the first piece of the text, which sets the format
 * @param speech the first piece of the file
 */
async function producerFor<P extends Piece>(
  model: P,
  { format = 'unchanged', dressing = noDressing, mark, signer, live = false, signal }: RenderOptions<P>,
  speech = model,
): Promise<Producer> {
  const pieces = model.count === undefined ? undefined : model.count * dressing.repeat;
  const signed = mark && { ...mark(speech), signer };
  return startProducer(parseAudio(model.audio), { format, dressing, pieces, mark: signed, live, signal });
}

async function* partsOf<P extends Piece>(
  producer: Producer,
  { first, source }: Opened<P>,
  options: RenderOptions<P>,
): AsyncGenerator<Part<P>, void, undefined> {
  const { dressing = noDressing, signal } = options;
  const levelOf = levels(options);
  let before: PlacedPiece<P> | undefined;
  try {
    for await (const placed of placedPieces(first, source, dressing.repeat)) {
      signal?.throwIfAborted();
      const lead = await leadOf(producer, before, placed, dressing);
      const audio = parseAudio(placed.piece.audio);
      const level = await levelOf(placed.piece, audio);
      const { data, ...place } = await producer.add(audio, pauseAfter(placed, dressing), level);
      const end = placed.next === 'end' ? (await producer.end()).data : new Uint8Array();
      yield partOf(placed, { ...place, data: joinedAudio(producer, [lead, data, end]) });
      before = placed;
    }
    if (before !== undefined && before.next !== 'end') yield await lateEnd(producer, before, dressing);
  } finally {
    producer.free();
  }
}

/** Returns a function with the loudness of each piece, as `Producer.add` gets it. */
function levels<P extends Piece>({ speaker, dressing, signal }: RenderOptions<P>) {
  const loudness = new OneLoudness();
  const hasTarget = dressing?.loudness !== undefined;
  return async (piece: P, audio: ParsedAudio): Promise<number | undefined> =>
    speaker === undefined || hasTarget ? undefined : loudness.levelOf(speaker(piece), audio, signal);
}

/** Joins audio, and adds it to the signature of the file. */
function joinedAudio({ signing }: Producer, parts: readonly Uint8Array[]): Uint8Array {
  const audio = joinedBytes(parts);
  signing?.add(audio);
  return audio;
}

const partOf = <P extends Piece>({ piece, repetition }: PlacedPiece<P>, produced: Produced): Part<P> => ({
  piece,
  repetition,
  ...produced,
});

/** Returns the silence and the chime before the first piece. A pass that ended early also lacks its pause. */
async function leadOf<P>(
  producer: Producer,
  before: PlacedPiece<P> | undefined,
  placed: PlacedPiece<P>,
  dressing: Dressing,
): Promise<Uint8Array> {
  if (before === undefined) return producer.lead();
  const isMissing = before.next === 'speech' && placed.repetition > before.repetition;
  return isMissing ? producer.pause(repetitionPause(dressing)) : new Uint8Array();
}

/** Returns the end of the audio if the pieces ended before their `count`. */
async function lateEnd<P extends Piece>(
  producer: Producer,
  last: PlacedPiece<P>,
  { silenceAfter }: Dressing,
): Promise<Part<P>> {
  const silence = await producer.pause(silenceAfter);
  const { data, ...place } = await producer.end();
  return partOf(last, { ...place, data: joinedAudio(producer, [silence, data]) });
}

const repetitionPause = ({ gap }: Dressing): number => Math.max(gap, REPETITION_PAUSE);

/** Returns the silence after a piece in seconds, or undefined if the next piece follows at once. */
function pauseAfter({ next }: PlacedPiece<unknown>, dressing: Dressing): number | undefined {
  if (next === 'end') return dressing.silenceAfter;
  if (next === 'repetition') return repetitionPause(dressing);
  return dressing.gap > 0 ? dressing.gap : undefined;
}

async function* filesOf<P extends Piece>(
  firstProducer: Producer,
  { first, source }: Opened<P>,
  options: RenderOptions<P>,
): AsyncGenerator<Part<P>, void, undefined> {
  const { dressing = noDressing, signal } = options;
  const levelOf = levels(options);
  let producer: Producer | undefined = firstProducer;
  let start = 0;
  try {
    for await (const placed of placedPieces(first, source, dressing.repeat)) {
      signal?.throwIfAborted();
      const isFirst = producer !== undefined;
      producer ??= await producerFor(first, options, placed.piece);
      const lead = isFirst ? await producer.lead() : new Uint8Array();
      const audio = parseAudio(placed.piece.audio);
      const level = await levelOf(placed.piece, audio);
      const file = await fileOf(producer, lead, { audio, level, pause: pauseAfter(placed, dressing) ?? 0 });
      yield partOf(placed, { ...file, start: start + file.start });
      start += file.seconds;
      producer = undefined;
    }
  } finally {
    producer?.free();
  }
}

async function fileOf(
  producer: Producer,
  lead: Uint8Array,
  { audio, pause, level }: { audio: ParsedAudio; pause: number; level: number | undefined },
): Promise<Produced & { seconds: number }> {
  try {
    const { data, ...place } = await producer.add(audio, pause, level);
    const end = await producer.end();
    const whole = joinedAudio(producer, [lead, data, end.data]);
    const [header, trailer] = [producer.header(whole.length), producer.trailer(whole.length)];
    return { ...place, seconds: end.start, data: joinedBytes([header, whole, trailer]) };
  } finally {
    producer.free();
  }
}
