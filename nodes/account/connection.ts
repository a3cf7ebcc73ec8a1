import path from 'node:path';
import {
  type Client,
  type ClientOptions,
  createClient,
  localReading,
  SpeechError,
} from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type LocalService, useLocalService } from './local/local-service.js';
import type { ServiceLog } from './local/service-process.js';
import type { ProgramAccess } from './local/program-ports.js';
import { say } from '../runtime/messages.js';

/** An account's connection to its service, until it is closed. */
export interface Connection {
  /** @throws SpeechError `not-configured`, `no-connection`, or `aborted` by the signal */
  connect(signal: AbortSignal): Promise<Client>;
  close(): Promise<void>;
}

/** Work after the start of the local service. */
export type Work = (closing: AbortSignal) => void;

/** A connection whose service may need a start. */
export interface StartableConnection extends Connection {
  /**
   * Starts the local service in the background, and then `work`. Called for each node that uses the connection. A hosted service
   * needs no start.
   * @param work its signal aborts when the connection closes; a connection that closes before the start drops the work
   */
  prepare(work?: Work): void;
}

/** The error of a message that uses a closed connection. Reopening it here would leak it. */
export const stopped = () => new SpeechError('aborted', say('account-stopped'));

/**
 * Returns a connection to the local service. `prepare` and `connect` start the service if it is not running. `prepare`
 * waits until Node-RED has started its flows, so that the service never delays that start.
 * @param speechOptions returns further options of each client
 * @param access the ports for other programs
 */
export function openLocalService(
  RED: NodeAPI,
  speechOptions: () => Partial<ClientOptions> = () => ({}),
  access?: ProgramAccess,
): StartableConnection {
  let connection: Connection | undefined;
  const closing = new AbortController();
  const works = new Set<Work>();
  const use = () => {
    if (closing.signal.aborted) throw stopped();
    const log: ServiceLog = (line, level) => RED.log[level](`[herald] ${line}`);
    return (connection ??= connectionTo(useLocalService(dataFolder(RED), log, access), speechOptions));
  };
  const start = () => {
    try {
      use();
    } catch {
      // The first message fails with the same error.
    }
    for (const work of works) work(closing.signal);
    works.clear();
  };
  return {
    prepare(work) {
      if (work !== undefined) works.add(work);
      afterStart(RED, start);
    },
    // `async` turns an error of `use` into a rejection.
    connect: async (signal) => use().connect(signal),
    async close() {
      closing.abort(stopped());
      starts.delete(start);
      works.clear();
      await connection?.close();
    },
  };
}

/** Work for the next start of the flows. One listener serves all accounts. */
const starts = new Set<() => void>();

/** Runs `work` after Node-RED has started its flows. Returns a function that cancels the work. */
export function afterStart(RED: NodeAPI, work: () => void): () => void {
  if (starts.size === 0) RED.events.once('flows:started', runStarts);
  starts.add(work);
  return () => void starts.delete(work);
}

function runStarts(): void {
  for (const work of starts) work();
  starts.clear();
}

/**
 * Returns the data folder: the local service stores its key and voices there, an account its budget.
 * @throws SpeechError `not-configured` for an embedded Node-RED without user directory. The current folder of the process
 *   may be any folder, so it is not a valid default.
 */
export function dataFolder(RED: NodeAPI): string {
  const folder = dataFolderIn(RED);
  if (folder === undefined) throw new SpeechError('not-configured', say('no-data-folder'));
  return folder;
}

/** Returns the data folder, or undefined for an embedded Node-RED without user directory. */
export function dataFolderIn({ settings: { userDir } }: Pick<NodeAPI, 'settings'>): string | undefined {
  const { HERALD_DATA: chosen } = process.env;
  if (chosen) return path.resolve(chosen);
  return userDir ? path.resolve(userDir, 'herald') : undefined;
}

/**
 * Connects without rate limits. Before each try, the client waits until the service is ready, and follows it to its current
 * address: after a restart, the former port may belong to another program, which must not get the key.
 */
function connectionTo(service: LocalService, speechOptions: () => Partial<ClientOptions>): Connection {
  let client: Client | undefined;
  let closed = false;
  const ready = async (signal: AbortSignal) => {
    const { url, key: apiKey } = await service.ready(signal);
    if (closed) throw stopped();
    return { url, apiKey };
  };
  return {
    async connect(signal) {
      const address = await ready(signal);
      return (client ??= createClient({ ...LOCAL_OPTIONS, ...speechOptions(), ...address, locate: ready }));
    },
    async close() {
      closed = true;
      await client?.close();
      await service.release();
    },
  };
}

/** The local service has no rate limit, and its restart may take several tries. */
const LOCAL_OPTIONS = {
  reading: localReading,
  requestsPerMinute: Infinity,
  clonesPerMinute: Infinity,
  attempts: 8,
  retryBudget: 1000,
} as const;
