/** The programs that play samples on this computer. Each reads the samples of its standard input, and ends with their end. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Pcm } from '../kind.js';

/** A program with its arguments. No shell reads them. */
export interface Command {
  program: string;
  args: readonly string[];
}

/** A program that plays samples. */
export interface Player {
  program: string;
  /** @param sink the name of a sound card; '' for the usual one */
  args(pcm: Pcm, sink: string): string;
}

/** A desktop lowers other sounds while a stream with this role plays, if it is set so. */
const ROLE = 'announce';
/** Milliseconds of audio that the sound system holds: a busy computer does not interrupt the sound. The start does not wait for it. */
const BUFFER_MS = 2000;

/** In the order in which they suit. PipeWire comes first, because its systems also have a program of PulseAudio or ALSA. */
const players: readonly Player[] = [
  {
    program: 'pw-cat',
    args: ({ sampleRate, channels }, sink) =>
      `--playback --raw --format=s16 --rate=${sampleRate} --channels=${channels} --media-role=${ROLE}${option('--target=', sink)} -`,
  },
  {
    program: 'pacat',
    args: ({ sampleRate, channels }, sink) =>
      `--playback --raw --format=s16le --rate=${sampleRate} --channels=${channels} --latency-msec=${BUFFER_MS} --client-name=Herald --property=media.role=${ROLE}${option('--device=', sink)}`,
  },
  {
    program: 'aplay',
    args: ({ sampleRate, channels }, sink) =>
      `-q -t raw -f S16_LE -r ${sampleRate} -c ${channels}${option('-D', sink)}`,
  },
];

const option = (name: string, value: string): string => (value === '' ? '' : ` ${name}${value}`);

/** Returns the program that suits best; undefined if this computer has none. */
export const installedPlayer = (): Player | undefined => players.find(({ program }) => isFound(program));

/** Returns the command that plays samples. */
export const commandFor = ({ program, args }: Player, pcm: Pcm, sink: string): Command => ({
  program,
  args: args(pcm, sink).split(' '),
});

const isFound = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));

/** Milliseconds for a list of the sound cards. */
const LIST_MS = 2000;

/** A sound card: `name` is its name for programs, `description` the one for people. */
export interface Sink {
  name: string;
  description: string;
}

/** Returns the sound cards that PulseAudio or PipeWire knows; none without them. */
export async function sinks(signal: AbortSignal): Promise<Sink[]> {
  try {
    const { stdout } = await promisify(execFile)('pactl', ['--format=json', 'list', 'sinks'], {
      signal,
      timeout: LIST_MS,
    });
    const listed: unknown = JSON.parse(stdout);
    return Array.isArray(listed) ? listed.flatMap(sinkIn) : [];
  } catch {
    return [];
  }
}

function sinkIn(value: unknown): Sink[] {
  if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
    return [];
  const description = 'description' in value ? value.description : undefined;
  return [{ name: value.name, description: typeof description === 'string' ? description : value.name }];
}
