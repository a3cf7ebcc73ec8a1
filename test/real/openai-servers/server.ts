import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { freePort } from '../../support/net/free-port.js';
import { spawned } from '../../support/spawned.js';
import { until } from '../../support/waiting.js';
import { runPython } from '../support/python.js';

const SUITE = 'openai-servers';
const PROGRAM = path.resolve(__dirname, '../../../.cache/real', SUITE, 'bin/local-tts');

export interface StudioServer {
  url: string;
  close(): Promise<void>;
}

/** Starts local-tts-studio with the voice joe. Close it in `after`. @param settings of its file `settings.json` */
export async function startStudio(settings: object): Promise<StudioServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-studio-'));
  await runPython(
    [SUITE, 'prepare.py'],
    { folder: path.join(folder, 'data'), settings },
    z.array(z.string()),
  );
  const port = await freePort();
  const child = spawned(
    spawn(PROGRAM, ['--port', String(port)], {
      env: { ...process.env, LOCAL_TTS_DATA_DIR: path.join(folder, 'data') },
      stdio: 'ignore',
    }),
  );
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    process.off('exit', kill);
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(
      () => answers(url, child),
      () => 'the server does not answer',
    );
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`local-tts ended with ${child.exitCode}`);
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
