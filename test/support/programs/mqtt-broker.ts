import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../net/free-port.js';
import { fromProgram, spawned } from '../spawned.js';

/** Starts mosquitto on a free port of 127.0.0.1, runs `work` with the port, and stops the broker. */
export async function withMqttBroker<Result>(work: (port: number) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-mqtt-'));
  const port = await freePort();
  const settings = path.join(folder, 'mosquitto.conf');
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence false',
    'log_dest stderr',
  ];
  await writeFile(settings, lines.join('\n'));
  const broker = spawned(spawn('mosquitto', ['-c', settings], { stdio: ['ignore', 'ignore', 'pipe'] }));
  const killOnExit = (): void => void broker.kill('SIGKILL');
  process.once('exit', killOnExit);
  try {
    await fromProgram(broker, running(broker));
    return await work(port);
  } finally {
    process.off('exit', killOnExit);
    if (broker.kill()) await once(broker, 'exit');
    await rm(folder, { recursive: true });
  }
}

/** Resolves when the broker accepts connections. */
async function running({ stderr }: ChildProcess): Promise<void> {
  if (stderr === null) throw new Error('mosquitto has no stderr');
  const said: string[] = [];
  for await (const line of createInterface({ input: stderr })) {
    if (line.endsWith(' running')) {
      stderr.resume();
      return;
    }
    said.push(line);
  }
  throw new Error(`mosquitto did not start: ${said.join('; ')}`);
}
