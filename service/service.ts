import { once, setMaxListeners } from 'node:events';
import { access, constants, mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { openKey } from './accounts/key.js';
import { createApp } from './app.js';
import { CloneStore } from './clones/clone-store.js';
import { type Log, noLog } from './log.js';
import { ServiceError } from './service-error.js';
import { Speech, type SpeechOptions } from './speech.js';

export interface ServiceOptions {
  /** 0 takes any free port. */
  port?: number;
  /** The address to listen on; anything but 127.0.0.1 opens the service to others. */
  host?: string;
  /** Folder of the key and the own voices; made where it is missing. */
  data?: string;
  log?: Log;
  /** Workers, their queue and the time limit of a job. */
  speech?: SpeechOptions;
  /** Milliseconds that requests in flight get to end when the service closes. */
  grace?: number;
}

export interface Service {
  /** Where the service is reached from this machine, without a slash at the end. */
  url: string;
  /** What every request carries in `x-sup-api-key`. */
  key: string;
  /** Ends every request, worker, timer and socket. May be called more than once. */
  close(): Promise<void>;
}

export const serviceDefaults = {
  port: 7800,
  host: '127.0.0.1',
  data: path.join(os.homedir(), '.herald'),
  grace: 2000,
} as const;

/** Milliseconds: a request must be here by then, and a silent connection ends. */
const timeouts = { requestTimeout: 60_000, headersTimeout: 10_000, keepAliveTimeout: 5000, idle: 120_000 };

/**
 * Starts the speech service.
 * @throws when the port is in use or the data folder can't be written
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const {
    port,
    host,
    data,
    grace,
    log,
    speech: speechOptions,
  } = { ...serviceDefaults, log: noLog, speech: {}, ...options };
  await mkdir(data, { recursive: true, mode: 0o700 });
  await access(data, constants.W_OK);
  const key = await openKey(data);
  const clones = await CloneStore.open(path.join(data, 'clones'));
  const speech = await Speech.start(speechOptions);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // One per request in flight; each goes with its request.
  const app = createApp({ key, log, speech, clones, closing: closing.signal });
  const server = createServer(timeouts, listener(app));
  server.setTimeout(timeouts.idle);
  await listen(server, port, host);

  const close = async () => {
    await closeServer(server, closing, grace);
    await Promise.all([speech.close(), clones.close()]);
  };
  let closed: Promise<void> | undefined;
  return { url: urlOf(server, host), key, close: () => (closed ??= close()) };
}

/** Without its usual replacement of the global Request and Response: this may run inside somebody else's process. */
function listener(app: ReturnType<typeof createApp>) {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (...exchange: Parameters<typeof answer>) => void answer(...exchange);
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** An address that stands for all of them is reached by the one of this machine. */
function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = isAddress(address) ? address.port : 0;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** Takes no more requests, lets those in flight end within `grace`, then cuts them off. */
async function closeServer(server: Server, closing: AbortController, grace: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const done = new AbortController();
  const outOfTime = delay(grace, undefined, { signal: done.signal }).catch(() => undefined);
  await Promise.race([closed, outOfTime]);
  done.abort();
  closing.abort(new ServiceError(503, 'the service is closing'));
  server.closeAllConnections();
  await closed;
}
