import { setMaxListeners } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { answerCommand } from './accounts/commands.js';
import { openKey } from './accounts/key.js';
import { openLedger } from './accounts/ledger.js';
import { createApp } from './http/app.js';
import { SampleFiles } from './clones/sample-files.js';
import { Closers } from './closers.js';
import { loadEngines } from './engines/engines.js';
import { closeServer, type HttpTimeouts, listen, makeServer, urlOf } from './http/server.js';
import { type Log, noLog } from './log.js';
import { Speech, type SpeechOptions } from './workers/speech.js';
import { serveControl } from './store/control.js';
import { lockDataFolder } from './store/data-lock.js';
import { Catalogue } from './voices/catalogue.js';

export type * from './engines/engine.js';

export interface ServiceOptions {
  /** 0 takes any free port. */
  port?: number;
  /** The address to listen on; anything but 127.0.0.1 opens the service to others. */
  host?: string;
  /** Folder of accounts, key and own voices, for this service alone; made where it is missing. */
  data?: string;
  log?: Log;
  /** Modules of more voice engines: packages or files, seen from the working directory (docs/engines.md). */
  engines?: readonly string[];
  /** Workers, their queue and the time limit of a job. */
  speech?: SpeechOptions;
  /** Milliseconds that a request may take to come in, and that a connection may be silent. */
  timeouts?: Partial<HttpTimeouts>;
  /** Milliseconds that requests in flight get to end when the service closes. */
  grace?: number;
  /** Milliseconds to wait for another service, which is about to end, to leave the folder. */
  patience?: number;
}

export interface Service {
  /** Where the service is reached from this machine, without a slash at the end. */
  url: string;
  /** What every request carries in `x-sup-api-key`: the key of the account `local`, which has no bounds. */
  key: string;
  /** Ends every request, worker, timer and socket. May be called more than once. */
  close(): Promise<void>;
}

export const serviceDefaults = {
  port: 7800,
  host: '127.0.0.1',
  data: defaultFolder(),
  engines: [],
  grace: 2000,
  /** Longer than another's grace: one that was just told to stop is waited for. */
  patience: 5000,
  timeouts: { request: 60_000, headers: 10_000, keepAlive: 5000, idle: 120_000 },
} as const;

/** In the user's home; where the user has none, as a container's may not, in the working directory. */
function defaultFolder(): string {
  try {
    return path.join(os.homedir(), '.herald');
  } catch {
    return path.resolve('.herald');
  }
}

/** The account that DIR/key opens: what the nodes use by default. */
const LOCAL_ACCOUNT = 'local';

/**
 * Starts the speech service.
 * @throws EngineError naming an engine that can't be loaded; StoreError when the data folder can't be used, or another
 *   service uses it; an error when the port is in use
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const closers = new Closers();
  try {
    const { url, key } = await start(options, closers);
    return { url, key, close: () => closers.close() };
  } catch (error) {
    await closers.close().catch(() => undefined); // The first failure tells more.
    throw error;
  }
}

async function start(options: ServiceOptions, closers: Closers): Promise<Omit<Service, 'close'>> {
  const { port, host, data, grace, patience, engines: modules } = { ...serviceDefaults, ...options };
  const engines = await loadEngines(modules);
  const { ledger, samples, key, local } = await openData(data, patience, closers);
  const speech = await Speech.start(engines, modules, options.speech ?? {});
  const running = new Set<Promise<void>>();
  // What was delivered is charged before the ledger closes.
  closers.add(() => Promise.allSettled(running));
  closers.add(() => speech.close());
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // One per request in flight; each goes with its request.
  const { log = noLog } = options;
  const parts = { speech, samples, ledger, catalogue: new Catalogue(engines) };
  const app = createApp({ ...parts, local, log, running, closing: closing.signal });
  const server = makeServer(app, { ...serviceDefaults.timeouts, ...options.timeouts });
  await listen(server, port, host);
  closers.add(() => closeServer(server, closing, grace));
  return { url: urlOf(server, host), key };
}

/** The folder is locked before anything in it is touched; it is free again when all else is closed. */
async function openData(data: string, patience: number, closers: Closers) {
  const lock = await lockDataFolder(data, { patience });
  closers.add(() => lock.release());
  const ledger = openLedger(lock);
  closers.add(() => ledger.close());
  const key = await openKey(data);
  const local = ledger.accounts.unlimited(LOCAL_ACCOUNT).id;
  ledger.keys.adopt(local, key);
  const samples = await SampleFiles.open(path.join(data, 'clones'), (id) => ledger.customVoices.has(id));
  const control = await serveControl(data, (command) => answerCommand(ledger, command));
  closers.add(() => control.close());
  return { ledger, samples, key, local };
}
