import path from 'node:path';
import { type Client, createClient, SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type LocalService, type ServiceLog, useLocalService } from './local-service.js';
import { say } from '../runtime/messages.js';

/** An account's connection to its service, until it is closed. */
export interface Connection {
  /** @throws SpeechError `not-configured`, `no-connection`, or `aborted` by the signal */
  connect(signal: AbortSignal): Promise<Client>;
  close(): Promise<void>;
}

/** A connection whose service may need a start. */
export interface StartableConnection extends Connection {
  /** Starts the local service in the background. Called for each node that uses the connection. */
  prepare(): void;
}

/** The error of a message that uses a closed connection. Reopening it here would leak it. */
export const stopped = () => new SpeechError('aborted', say('account-stopped'));

/**
 * Returns a connection to the local service. `prepare` and `connect` start the service if it is not running. `prepare`
 * waits until Node-RED has started its flows, so that the service never delays that start.
 */
export function openLocalService(RED: NodeAPI): StartableConnection {
  let connection: Connection | undefined;
  let closed = false;
  const use = () => {
    if (closed) throw stopped();
    const log: ServiceLog = (line, level) => RED.log[level](`[herald] ${line}`);
    return (connection ??= connectionTo(useLocalService(dataFolder(RED), log)));
  };
  const start = () => {
    try {
      use();
    } catch {
      // The first message fails with the same error.
    }
  };
  return {
    prepare: () => afterStart(RED, start),
    // `async` turns an error of `use` into a rejection.
    connect: async (signal) => use().connect(signal),
    async close() {
      closed = true;
      starts.delete(start);
      await connection?.close();
    },
  };
}

/** Work for the next start of the flows. One listener serves all connections. */
const starts = new Set<() => void>();

function afterStart(RED: NodeAPI, work: () => void): void {
  if (starts.size === 0) RED.events.once('flows:started', runStarts);
  starts.add(work);
}

function runStarts(): void {
  for (const work of starts) work();
  starts.clear();
}

/**
 * Returns the folder in which the local service stores its key and voices.
 * @throws SpeechError `not-configured` for an embedded Node-RED without user directory. The current folder of the process
 *   may be any folder, so it is no default.
 */
function dataFolder({ settings: { userDir } }: NodeAPI): string {
  const { HERALD_DATA: own } = process.env;
  if (own) return path.resolve(own);
  if (userDir) return path.resolve(userDir, 'herald');
  throw new SpeechError('not-configured', say('no-data-folder'));
}

/**
 * Connects without rate limits. A call waits while the service restarts. Creates a new client if the service restarts at
 * another address or with another key. The former client stays open until its calls have failed by themselves: closing it
 * would stop their messages.
 */
function connectionTo(service: LocalService): Connection {
  const clients = new Map<string, Client>();
  let closed = false;
  return {
    async connect(signal) {
      const { url, key } = await service.ready(signal);
      if (closed) throw stopped();
      const id = `${url} ${key}`;
      const client =
        clients.get(id) ?? createClient({ ...LOCAL_OPTIONS, url, apiKey: key, beforeTry: service.ready });
      clients.set(id, client);
      return client;
    },
    async close() {
      closed = true;
      await Promise.all([...clients.values()].map((client) => client.close()));
      await service.release();
    },
  };
}

/** The local service has no rate limit, and its restart may take several tries. */
const LOCAL_OPTIONS = {
  requestsPerMinute: Infinity,
  clonesPerMinute: Infinity,
  attempts: 8,
  retryBudget: 1000,
} as const;
