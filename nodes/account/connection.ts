import path from 'node:path';
import { type Client, createClient, SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type LocalService, useLocalService } from './local-service.js';
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
    const log = (line: string) => RED.log.info(`[herald] ${line}`);
    return (connection ??= connectionTo(useLocalService(dataFolder(RED), log)));
  };
  const start = () => void use();
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

/** Returns the folder in which the local service stores its key and voices. */
function dataFolder(RED: NodeAPI): string {
  return path.resolve(process.env['HERALD_DATA'] || path.join(RED.settings.userDir ?? '.', 'herald'));
}

/** Connects without rate limits. Creates a new client if the service restarts at another address. */
function connectionTo(service: LocalService): Connection {
  let client: Client | undefined;
  let at = '';
  let closed = false;
  return {
    async connect(signal) {
      const { url, key } = await service.ready(signal);
      if (closed) throw stopped();
      if (client !== undefined && at === url) return client;
      const former = client;
      client = createClient({ url, apiKey: key, requestsPerMinute: Infinity, clonesPerMinute: Infinity });
      at = url;
      await former?.close();
      return client;
    },
    async close() {
      closed = true;
      await client?.close();
      await service.release();
    },
  };
}
