import path from 'node:path';
import { type Client, createClient, SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type LocalService, useLocalService } from './local-service.js';

/** An account's connection to its service, until it is closed. */
export interface Connection {
  /** @throws SpeechError `not-configured`, `no-connection`, or `aborted` by the signal */
  connect(signal: AbortSignal): Promise<Client>;
  close(): Promise<void>;
}

/** The local service's default voice: the most intelligible of the built-in voices. */
export const DEFAULT_LOCAL_VOICE = 'rms';

/** The error of a message that uses a closed connection. Reopening it here would leak it. */
export const stopped = () => new SpeechError('aborted', 'the account was stopped or deployed anew');

/** Opens a connection to the local service, and starts the service if it is not running. */
export function openLocalService(RED: NodeAPI): Connection {
  return connectionTo(useLocalService(dataFolder(RED), (line) => RED.log.info(`[herald] ${line}`)));
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
