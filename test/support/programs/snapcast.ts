import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../net/free-port.js';
import { until } from '../waiting.js';
import { fromProgram, spawned } from '../spawned.js';

/** A Snapcast server with one room, which writes its audio to a file in place of a loudspeaker. */
export interface Snapcast {
  /** The port of the TCP source for raw audio: 48,000 hertz, 16 bits, two channels. */
  port: number;
  /** The port of the control connection. */
  control: number;
  /** Kills the player of the room. */
  killPlayer(): Promise<void>;
  /** Returns the record of the room since it changed to its present source. */
  recorded(): Promise<Buffer>;
  /** Resolves with the audio of the room when it is followed by a second of silence. */
  heard(): Promise<Buffer>;
}

/** Bytes of a second of audio. */
export const SECOND = 192_000;

/**
 * Runs `work` with Debian's snapserver and snapclient on loopback addresses.
 * @param options with `hasMusic`, the room plays another source first
 * @throws Error if one of these Debian packages is missing
 */
export async function withSnapcast(
  work: (snapcast: Snapcast) => Promise<void>,
  { hasMusic = false } = {},
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-snapcast-'));
  const file = path.join(folder, 'heard.pcm');
  const [port, stream, control] = [await freePort(), await freePort(), await freePort()];
  const config = path.join(folder, 'snapserver.conf');
  const music = hasMusic ? `source = pipe://${folder}/music?name=Music\n` : '';
  await writeFile(config, configOf(folder, { port, stream, control }, music));
  const children: ChildProcess[] = [];
  const start = (command: string, ...args: string[]) => {
    const child = spawned(
      spawn(command, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, HOME: folder },
      }),
    );
    children.push(child);
    const printed: string[] = [];
    for (const output of [child.stdout, child.stderr])
      output.on('data', (text) => printed.push(String(text)));
    return { child, log: () => printed.join('') };
  };
  try {
    const { child } = start('snapserver', '--config', config);
    await fromProgram(child, reachable(stream));
    const server = ['--host', '127.0.0.1', '--port', String(stream)];
    const player = ['--instance', String(process.pid), '--player', `file:filename=${file}`];
    const client = start('snapclient', ...server, ...player, '--logsink', 'stdout');
    const { log } = client;
    await fromProgram(
      client.child,
      until(() => log().includes('Connected'), log),
    );
    const killPlayer = async () => {
      const ended = once(client.child, 'exit');
      client.child.kill('SIGKILL');
      await ended;
    };
    await work({ port, control, killPlayer, heard: () => heardIn(file), recorded: () => readFile(file) });
  } finally {
    for (const child of children) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }
}

const configOf = (
  folder: string,
  { port, stream, control }: Record<'port' | 'stream' | 'control', number>,
  music: string,
) => `
[server]
datadir = ${folder}
[http]
enabled = false
[tcp]
bind_to_address = 127.0.0.1
port = ${control}
[stream]
bind_to_address = 127.0.0.1
port = ${stream}
${music}source = tcp://127.0.0.1:${port}?name=Announcements&mode=server
codec = pcm
`;

/** Resolves when the server accepts connections. */
function reachable(port: number): Promise<void> {
  const deadline = performance.now() + 20_000;
  return new Promise((resolve, reject) => {
    const attempt = () => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve();
      }).once('error', (error) => {
        if (performance.now() < deadline) setTimeout(attempt, 20);
        else reject(new Error('snapserver accepts no connections', { cause: error }));
      });
    };
    attempt();
  });
}

/** Waits for sound and a second of silence at the end of the file, and returns the sound between them. */
async function heardIn(file: string): Promise<Buffer> {
  const deadline = performance.now() + 40_000;
  for (;;) {
    const audio = await readFile(file).catch(() => Buffer.alloc(0));
    const first = audio.findIndex((byte) => byte !== 0);
    if (first >= 0 && audio.subarray(-SECOND).every((byte) => byte === 0))
      return audio.subarray(first, audio.findLastIndex((byte) => byte !== 0) + 1);
    if (performance.now() > deadline) throw new Error(`no announcement in ${audio.length} bytes`);
    await sleep(100);
  }
}
