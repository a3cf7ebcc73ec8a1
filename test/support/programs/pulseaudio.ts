import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fromProgram, spawned } from '../spawned.js';
import { until } from '../waiting.js';

/** Hertz of the sound card. */
export const RATE = 44_100;

/** A sound system with one sound card, which plays into nothing, and has a record of its sound. */
export interface SoundSystem {
  /** The name of the sound card. */
  sink: string;
  /** Returns the record of the card so far: signed samples of 16 bits, one channel. */
  heard(): Buffer;
}

/** Runs `work` with Debian's PulseAudio. Programs of this process use it meanwhile. */
export async function withSoundSystem(work: (system: SoundSystem) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-sound-'));
  const socket = path.join(folder, 'native');
  const former = process.env['PULSE_SERVER'];
  const env = { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, PULSE_SERVER: `unix:${socket}` };
  const modules = [
    `module-null-sink sink_name=room format=s16le rate=${RATE} channels=1`,
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
  ].flatMap((module) => ['-L', module]);
  const server = spawned(
    spawn('pulseaudio', ['-n', '--daemonize=no', '--exit-idle-time=-1', ...modules], {
      env,
      stdio: 'ignore',
    }),
  );
  const recorder = async () => {
    await fromProgram(
      server,
      until(() => existsSync(socket)),
    );
    const args = [
      '--raw',
      '--format=s16le',
      `--rate=${RATE}`,
      '--channels=1',
      '--device=room.monitor',
      '--latency-msec=20',
    ];
    return spawned(spawn('parec', args, { env, stdio: ['ignore', 'pipe', 'ignore'] }));
  };
  const parts: Buffer[] = [];
  const recording = await recorder();
  recording.stdout.on('data', (part: Buffer) => parts.push(part));
  try {
    process.env['PULSE_SERVER'] = env.PULSE_SERVER;
    await until(() => parts.length > 0);
    await work({ sink: 'room', heard: () => Buffer.concat(parts) });
  } finally {
    if (former === undefined) delete process.env['PULSE_SERVER'];
    else process.env['PULSE_SERVER'] = former;
    for (const child of [recording, server]) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }
}
