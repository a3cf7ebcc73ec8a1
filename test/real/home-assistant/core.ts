import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from '@herald-speech/client';
import { freePort } from '../../support/net/free-port.js';
import { spawned } from '../../support/spawned.js';

const ROOT = path.resolve(__dirname, '../../..');

/** Home Assistant Core with its REST API, and three media players: `kitchen` (MPD), `house` (a group) and `announcer`. */
export interface Core {
  /** `http://127.0.0.1:PORT`. */
  base: string;
  token: string;
  /** Calls a service as another client. */
  call(service: string, entity: string, data?: object): Promise<void>;
  /** Returns the state of a media player and its attributes. */
  player(entity: string): Promise<{ state: string; attributes: Record<string, unknown> }>;
}

const answer = z.object({ state: z.string(), attributes: z.record(z.string(), z.unknown()) });

/**
 * Runs `work` with Home Assistant Core from `.cache/real/home-assistant`, in which `npm run test:real` installs it.
 * @param mpd the address of MPD, `127.0.0.1:PORT`
 */
export async function withCore(mpd: string, work: (core: Core) => Promise<void>): Promise<void> {
  const port = await freePort();
  const program = path.join(ROOT, '.cache/real/home-assistant/bin/python');
  const child = spawned(spawn(program, [path.join(__dirname, 'serve.py')]));
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  try {
    const token = await tokenFrom(child, { port, mpd });
    const base = `http://127.0.0.1:${port}`;
    const send = async (method: string, at: string, body?: object) => {
      const headers = { Authorization: `Bearer ${token}`, Connection: 'close' };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await fetch(`${base}/api/${at}`, init)).json();
    };
    await work({
      base,
      token,
      call: async (service, entity, data = {}) => {
        const body = { entity_id: `media_player.${entity}`, ...data };
        await send('POST', `services/${service.replace('.', '/')}`, body);
      },
      player: async (entity) => answer.parse(await send('GET', `states/media_player.${entity}`)),
    });
  } finally {
    child.kill('SIGKILL');
    await ended;
    process.off('exit', kill);
  }
}

async function tokenFrom(child: ChildProcess, wanted: object): Promise<string> {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes');
  const problems: string[] = [];
  stderr.setEncoding('utf8').on('data', (text: string) => problems.push(text));
  stdin.write(`${JSON.stringify(wanted)}\n`);
  for await (const line of createInterface({ input: stdout }))
    return z.object({ token: z.string() }).parse(JSON.parse(line)).token;
  throw new Error(`Home Assistant did not start: ${problems.join('')}`);
}
