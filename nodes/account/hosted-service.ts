import { type Client, type ClientOptions, createClient } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { hostedReading, type SavedReading } from './reading.js';
import { type StartableConnection, stopped } from './connection.js';
import { limitsOf, MAX_CONNECTIONS, type SavedLimits } from './limits.js';
import { networkOf } from './network.js';

/** The saved properties that a connection to a hosted service uses. */
export interface SavedService extends SavedLimits, Pick<SavedReading, 'figuresAsWords'> {
  url?: unknown;
  proxy?: unknown;
  tls?: unknown;
}

/**
 * Opens a connection to a hosted service. Invalid options fail each message, not the deploy.
 * @param speechOptions returns further options, called when the client is created
 */
export function openHostedService(
  RED: NodeAPI,
  saved: SavedService,
  key: unknown,
  speechOptions: () => Partial<ClientOptions>,
): StartableConnection {
  const { url, proxy, tls } = saved;
  let client: Client | undefined;
  let closed = false;
  return {
    prepare: () => undefined,
    // `async` turns errors that createClient throws into rejections.
    async connect() {
      if (closed) throw stopped();
      client ??= createClient({
        url: trimmedText(url),
        apiKey: typeof key === 'string' ? key : '',
        connections: MAX_CONNECTIONS,
        ...limitsOf(saved),
        reading: hostedReading(saved),
        ...networkOf(RED, { url: trimmedText(url), proxy, tls }),
        ...speechOptions(),
      });
      return client;
    },
    async close() {
      closed = true;
      await client?.close();
    },
  };
}

/** Returns a saved text without white space around it; a blank text for any other value. */
export const trimmedText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
