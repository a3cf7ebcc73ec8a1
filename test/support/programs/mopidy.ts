import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { noise, wavOf } from '../../players/publish.js';
import { freePort } from '../net/free-port.js';
import { fromProgram, spawned } from '../spawned.js';
import { until } from '../waiting.js';

/** A player of Mopidy without a sound card. */
export interface Mopidy {
  /** `127.0.0.1:PORT`. */
  address: string;
  /** The address of a song of 30 seconds. */
  song: string;
  /** Calls a function of its core as another client, and returns the result. */
  core(method: string, params?: object): Promise<unknown>;
}

/** Runs `work` with Debian's mopidy on a loopback address. */
export async function withMopidy(work: (mopidy: Mopidy) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-mopidy-'));
  const port = await freePort();
  await mkdir(path.join(folder, 'music'));
  await writeFile(path.join(folder, 'music', 'song.wav'), wavOf(noise(30)));
  const config = path.join(folder, 'mopidy.conf');
  await writeFile(config, configOf(folder, port));
  const child: ChildProcess = spawned(
    spawn('mopidy', ['--config', config], { stdio: 'ignore', env: { ...process.env, HOME: folder } }),
  );
  let id = 0;
  const core: Mopidy['core'] = async (method, params = {}) => {
    const reply = await fetch(`http://127.0.0.1:${port}/mopidy/rpc`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Connection: 'close' },
      body: JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method: `core.${method}`, params }),
    });
    const { result } = Object(await reply.json());
    return result;
  };
  try {
    await fromProgram(
      child,
      until(() =>
        core('get_version').then(
          () => true,
          () => false,
        ),
      ),
    );
    await work({ address: `127.0.0.1:${port}`, song: `file://${folder}/music/song.wav`, core });
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

const configOf = (folder: string, port: number): string => `
[core]
cache_dir = ${folder}/cache
config_dir = ${folder}/config
data_dir = ${folder}/data
[audio]
output = fakesink sync=true
mixer = software
[softwaremixer]
enabled = true
[http]
enabled = true
hostname = 127.0.0.1
port = ${port}
zeroconf =
[file]
enabled = true
media_dirs = ${folder}/music
[stream]
enabled = true
protocols = http, file
[m3u]
enabled = false
`;
