import {
  asSpeechError,
  type Client,
  type ClientOptions,
  createClient,
  type SpeechError,
} from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { remoteReading, type SavedReading } from './reading.js';
import { type StartableConnection, stopped } from './connection.js';
import { limitsOf, MAX_CONNECTIONS, type SavedLimits } from './limits.js';
import { networkOf } from './network.js';
import { type RemoteService, type SavedChoice, trimmedText } from './services.js';

/** The saved properties that a connection to a remote service uses. */
export interface SavedService extends SavedChoice, SavedLimits, Pick<SavedReading, 'figuresAsWords'> {
  proxy?: unknown;
  tls?: unknown;
}

/**
 * Opens a connection to a remote service. Invalid options fail each message, not the deploy.
 * @param speechOptions returns further options, called when the client is created
 */
export function openRemoteService(
  RED: NodeAPI,
  service: RemoteService,
  saved: SavedService,
  key: unknown,
  speechOptions: () => Partial<ClientOptions>,
): StartableConnection {
  let client: Client | undefined;
  let closed = false;
  return {
    prepare: () => undefined,
    // `async` turns errors that createClient throws into rejections.
    async connect() {
      if (closed) throw stopped();
      client ??= clientOf(RED, service, saved, key, speechOptions());
      return client;
    },
    async close() {
      closed = true;
      await client?.close();
    },
  };
}

function clientOf(
  RED: NodeAPI,
  service: RemoteService,
  saved: SavedService,
  key: unknown,
  speechOptions: Partial<ClientOptions>,
): Client {
  const url = trimmedText(saved[service.addressIn]);
  const { proxy, tls } = saved;
  try {
    return createClient({
      url,
      apiKey: service.key !== 'none' && typeof key === 'string' ? key : '',
      upstream: service.upstream(saved),
      connections: MAX_CONNECTIONS,
      ...limitsOf(saved),
      reading: remoteReading(saved),
      ...(service.addressIn === 'url' && networkOf(RED, { url, proxy, tls })),
      ...speechOptions,
    });
  } catch (thrown) {
    throw inDialog(asSpeechError(thrown), service);
  }
}

/** Returns an error. If it is about an option of the client, its message names the property of the account. */
function inDialog(error: SpeechError, { addressIn }: RemoteService): SpeechError {
  const { text } = error;
  const option = text?.values['field'];
  if (text === undefined || typeof option !== 'string') return error;
  const field = option === 'url' ? addressIn : option.replace(/^upstream\.(\w+)(?:\W.*)?$/, '$1');
  return error.with({ message: { ...text, values: { ...text.values, field } } });
}
