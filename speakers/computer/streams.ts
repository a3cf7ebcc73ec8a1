/** The streams of other programs on a sound card of PulseAudio or PipeWire. An announcement lowers them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { fieldOf, listOf, numberOf, textOf } from '../base/values.js';

/** Milliseconds for a command. */
const COMMAND_MS = 2000;
/** The part of its volume with which a stream plays during an announcement. The scale is cubic: a tenth of the loudness, or -20 dB. */
const LOWERED = 0.46;
/** Maximum number of streams. */
const MAX_STREAMS = 64;

/** A stream: its number, and its volume in each channel, separated by spaces. */
export interface Stream {
  index: number;
  volume: string;
}

/** A sound card, and the streams that it plays. */
export interface Card {
  isSilent: boolean;
  streams: Stream[];
}

/**
 * Returns the state of a sound card; undefined without PulseAudio or PipeWire.
 * @param sink the name of the sound card; '' for the usual one
 */
export async function cardOf(sink: string, signal: AbortSignal): Promise<Card | undefined> {
  try {
    const name = sink || (await pactl(['get-default-sink'], signal)).trim();
    const card = (await list('sinks', signal)).find((each) => textOf(fieldOf(each, 'name')) === name);
    const streams = (await list('sink-inputs', signal)).filter(
      (stream) => fieldOf(stream, 'sink') === fieldOf(card, 'index'),
    );
    if (card === undefined) return undefined;
    return {
      isSilent: fieldOf(card, 'mute') === true || volumesOf(card).every((volume) => volume === 0),
      streams: streams.slice(0, MAX_STREAMS).map((stream) => ({
        index: numberOf(fieldOf(stream, 'index')),
        volume: volumesOf(stream).join(' '),
      })),
    };
  } catch {
    return undefined;
  }
}

/** Returns the volume of a stream during an announcement. */
export const lowered = (volume: string): string =>
  volume
    .split(' ')
    .map((channel) => Math.round(Number(channel) * LOWERED))
    .join(' ');

/** Sets the volume of a stream. A stream that has ended is ignored. */
export async function setVolume({ index, volume }: Stream, signal: AbortSignal): Promise<void> {
  await pactl(['set-sink-input-volume', String(index), ...volume.split(' ')], signal).catch(() => undefined);
}

const volumesOf = (value: unknown): number[] => {
  const volumes = fieldOf(value, 'volume');
  const channels = typeof volumes === 'object' && volumes !== null ? Object.values(volumes) : [];
  return channels.map((channel) => numberOf(fieldOf(channel, 'value')));
};

const list = async (what: 'sinks' | 'sink-inputs', signal: AbortSignal): Promise<readonly unknown[]> =>
  listOf(JSON.parse(await pactl(['--format=json', 'list', what], signal)));

const pactl = async (args: readonly string[], signal: AbortSignal): Promise<string> =>
  (await promisify(execFile)('pactl', [...args], { signal, timeout: COMMAND_MS })).stdout;
