import { randomUUID } from 'node:crypto';
import type { Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import type { AnnouncedSound } from '../runtime/activity/sounds.js';
import type { DeferredTemplate } from '../runtime/template.js';
import { prepareUrl } from './urls/audio-urls.js';
import type { PlayerAccess } from './urls/base-url.js';
import { checkExtension, type Format, type ServiceFormat } from './files/file-format.js';
import { captionsFileOf, outputFileOf } from './files/file-path.js';
import { checkWritable } from './files/files.js';
import type { CaptionFormat, RenderedAudio, RenderedPart } from './rendered-audio.js';
import { collect } from './to-buffer.js';
import { type CaptionsFile, writeFileOf } from './to-file.js';
import { type CountedPiece, type MessageParts, split } from './to-pieces.js';
import { publish } from './urls/to-url.js';

/** The destination of audio, as the properties of a node set it. */
interface Destination {
  output: 'buffer' | 'file' | 'url' | 'pieces';
  /** The path of the file, or a template of it. */
  filename?: string | DeferredTemplate | undefined;
  create_folder?: boolean | undefined;
  /** The format of the captions in a file beside the audio file. */
  captions?: CaptionFormat | 'none' | undefined;
  base_url?: string | undefined;
  /** The settings of the account for players, for output `url`. */
  players?: PlayerAccess | undefined;
  /** The time at which the URL is delivered: with the first piece, or with the complete audio (default). */
  url_when?: 'first' | 'complete' | undefined;
  /** The format in which the service sends the audio. */
  output_format?: ServiceFormat | undefined;
  /** The format of the output. Default: as the service sends it. */
  format?: Format | undefined;
  /** The number of times that the text is spoken. */
  repeat?: number | undefined;
  /** The node that sends the result, for output `url`. */
  node?: object | undefined;
  /** The sound of the announcement. Its stop also ends the replies for output `url`. */
  sound?: AnnouncedSound | undefined;
}

/** A result for the first output of a node. */
export interface Delivered<Piece> {
  payload: Buffer | string;
  /** Fields of `msg.speech`. */
  location: { filename?: string; captionsFile?: string; url?: string; played?: readonly object[] };
  /** True if speakers still play the audio. */
  isPlaying?: boolean;
  /** The piece of the payload and its time. Output `pieces` only. */
  part?: RenderedPart<Piece>;
  /** The value of `msg.parts`. Output `pieces` only. */
  parts?: MessageParts;
  /** False if more results follow. */
  isLast: boolean;
}

/** A checked destination. */
export interface CheckedDestination {
  /** The format to request from the service. Undefined: the service decides. */
  readonly serviceFormat: ServiceFormat | undefined;
  /** True if each part of the audio must be a complete file: render it with `renderEach`. */
  readonly separate: boolean;
  /** The reasons for which the audio does not arrive, such as a URL that players cannot reach. */
  readonly warnings: readonly Text[];
  /** True if players read the audio before it is complete. */
  readonly live: boolean;
  /** Seconds of silence before the audio that the destination needs. */
  readonly wakeUp?: number;
  /**
   * Consumes the audio. Yields one result, for `pieces` one result per piece. A URL that is delivered with the first piece
   * precedes the end of the work: pull until the end. Frees everything if the consumer stops early.
   * @param turn resolves when earlier messages have left. A file gets its name then, so that the latest message wins.
   * @throws SpeechError, or the error of the rendering
   */
  deliver<Piece extends CountedPiece>(
    rendering: RenderedAudio<Piece>,
    turn?: () => Promise<void>,
  ): AsyncGenerator<Delivered<Piece>, void, undefined>;
  /** Frees what the destination has reserved. */
  close?(): void;
}

/**
 * Checks a destination before the speech is requested and paid for. Creates missing folders if the node does so.
 * @param valuesOf returns the values for the tags of a file name, such as the language of the request; they win over the
 *   message
 * @throws SpeechError `bad-request` for a file that cannot be written, `not-configured` if Node-RED serves no URLs
 */
export async function checkDestination(
  RED: NodeAPI,
  destination: Destination,
  valuesOf: () => object,
  signal: AbortSignal,
): Promise<CheckedDestination> {
  const { output, output_format: serviceFormat } = destination;
  if (output === 'file') return toFile(RED, destination, valuesOf(), signal);
  if (output === 'url') return toUrl(RED, destination, signal);
  const separate = output === 'pieces';
  const deliver: CheckedDestination['deliver'] = separate
    ? (audio) => toPieces(audio, destination)
    : toBuffer;
  return { serviceFormat, separate, live: false, warnings: [], deliver };
}

async function toFile(
  RED: NodeAPI,
  { filename = '', create_folder, captions = 'none', output_format, format = 'unchanged' }: Destination,
  values: object,
  signal: AbortSignal,
): Promise<CheckedDestination> {
  const outputFile = await outputFileOf(RED, filename, values);
  const { file } = outputFile;
  const serviceFormat = checkExtension(file, format, output_format);
  await checkWritable(outputFile, signal, create_folder);
  const captionsFile: CaptionsFile | undefined =
    captions === 'none' ? undefined : { output: captionsFileOf(outputFile, captions), format: captions };
  if (captionsFile !== undefined) await checkWritable(captionsFile.output, signal);
  return {
    serviceFormat,
    separate: false,
    warnings: [],
    live: false,
    async *deliver(rendering, turn) {
      await writeFileOf(rendering, outputFile, signal, turn, captionsFile);
      const location = {
        filename: file,
        ...(captionsFile !== undefined && { captionsFile: captionsFile.output.file }),
      };
      yield { payload: file, location, isLast: true };
    },
  };
}

async function toUrl(
  RED: NodeAPI,
  destination: Destination,
  signal: AbortSignal,
): Promise<CheckedDestination> {
  const { base_url, players, output_format: serviceFormat, url_when = 'complete', sound, node } = destination;
  const target = await prepareUrl(RED, base_url, players, signal, node);
  return {
    serviceFormat,
    separate: false,
    warnings: target.warnings,
    live: url_when === 'first',
    async *deliver(rendering) {
      for await (const url of publish(rendering, { ...target, sound }, url_when, signal))
        yield { payload: url, location: { url }, isLast: true };
    },
  };
}

async function* toBuffer<Piece>(
  rendering: RenderedAudio<Piece>,
): AsyncGenerator<Delivered<Piece>, void, undefined> {
  yield { payload: await collect(rendering), location: {}, isLast: true };
}

async function* toPieces<Piece extends CountedPiece>(
  rendering: RenderedAudio<Piece>,
  { repeat = 1 }: Destination,
): AsyncGenerator<Delivered<Piece>, void, undefined> {
  for await (const piece of split(rendering, randomUUID(), repeat)) yield { ...piece, location: {} };
}
