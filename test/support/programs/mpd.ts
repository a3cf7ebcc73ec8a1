import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../net/free-port.js';
import { wavHeader } from '@herald-speech/client';
import { noise, SECOND as NOISE_SECOND } from '../../players/publish.js';
import { fromProgram, spawned } from '../spawned.js';
import { until } from '../waiting.js';

/** A player of MPD without a sound card. */
export interface Mpd {
  /** `127.0.0.1:PORT`. */
  address: string;
  /** Sends a command as another client, and returns the lines of the reply. */
  run(command: string): Promise<string[]>;
  /** Kills the player. */
  kill(): Promise<void>;
  /** Starts a killed player again: its queue is empty. */
  start(): Promise<void>;
}

/** The songs in the music folder of the player. Each has 30 seconds. */
export const SONGS = ['first.wav', 'second.wav'] as const;

/**
 * Returns a WAV file with the data rate of a CD. MPD 0.23 can miss a command within a millisecond after another one, and then
 * answers no client until it has played its buffer: a second of such a file, but all of a small one.
 */
export function cdOf(seconds: number): Buffer {
  const known = cds.get(seconds);
  if (known !== undefined) return known;
  const size = seconds * CD.sampleRate * 4;
  const second = noise((CD.sampleRate * 4) / NOISE_SECOND);
  const samples = Buffer.alloc(size, second);
  const file = Buffer.concat([wavHeader(CD, size), samples]);
  cds.set(seconds, file);
  return file;
}

/** The files by their seconds. */
const cds = new Map<number, Buffer>();

const CD = { encoding: 'pcm', channels: 2, sampleRate: 44_100, bitsPerSample: 16 } as const;

/** Runs `work` with Debian's mpd on a loopback address. */
export async function withMpd(work: (mpd: Mpd) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-mpd-'));
  const port = await freePort();
  await mkdir(path.join(folder, 'music'));
  await mkdir(path.join(folder, 'lists'));
  for (const song of SONGS) await writeFile(path.join(folder, 'music', song), cdOf(30));
  const config = path.join(folder, 'mpd.conf');
  await writeFile(config, configOf(folder, port));
  let child: ChildProcess | undefined;
  const mpd: Mpd = {
    address: `127.0.0.1:${port}`,
    run: (command) => run(port, command),
    async kill() {
      if (child === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      child = undefined;
    },
    async start() {
      child = spawned(spawn('mpd', ['--no-daemon', config], { stdio: 'ignore' }));
      await fromProgram(
        child,
        until(() =>
          run(port, 'status').then(
            () => true,
            () => false,
          ),
        ),
      );
    },
  };
  try {
    await mpd.start();
    await run(port, 'update');
    await until(async () => !(await run(port, 'status')).some((line) => line.startsWith('updating_db')));
    await work(mpd);
  } finally {
    await mpd.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

const configOf = (folder: string, port: number): string => `
music_directory "${folder}/music"
playlist_directory "${folder}/lists"
db_file "${folder}/db"
bind_to_address "127.0.0.1"
port "${port}"
zeroconf_enabled "no"
audio_output {
  type "null"
  name "null"
  mixer_type "null"
}
`;

/** Milliseconds between two commands. MPD 0.23 can miss a command that comes at once after another one. */
const GAP_MS = 10;

async function run(port: number, command: string): Promise<string[]> {
  await sleep(GAP_MS);
  const socket = connect(port, '127.0.0.1');
  let text = '';
  try {
    socket.setEncoding('utf8').on('data', (data: string) => (text += data));
    await once(socket, 'connect');
    socket.write(`${command}\n`);
    await until(() => /\n(OK|ACK .*)\n$/.test(text));
    return text.split('\n').slice(1, -2);
  } finally {
    socket.destroy();
  }
}
