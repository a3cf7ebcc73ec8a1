import { createHmac } from 'node:crypto';
import { baseUrl, usableKey } from '@herald-speech/client/sharing';

/** Characters of an identity: 132 bits. */
const LENGTH = 22;

/** The account of a fleet. */
export interface FleetAccount {
  /** The base URL, or `tcp://HOST:PORT`. */
  url: string;
  /** Blank for a service without keys. */
  apiKey: string;
  /** Whether the service needs a key. Default true. */
  hasKey?: boolean | undefined;
}

/**
 * Returns the identity of an account in Redis. It is a hash with the API key as secret, so that Redis never gets the key.
 * @throws SpeechError `not-configured` if the client would not accept the URL or the key
 */
export function accountId({ url, apiKey, hasKey = true }: FleetAccount): string {
  const key = hasKey || apiKey !== '' ? usableKey(apiKey) : '';
  const address = hasKey || /^https?:/i.test(url) ? baseUrl(url) : url.toLowerCase();
  return hashOf(key, `herald fleet ${address}`);
}

/** Returns the name of the queue of members whose services have equal settings. Redis never gets the settings. */
export const queueOf = ({ apiKey }: FleetAccount, settings: string | undefined): string =>
  settings === undefined ? 'tasks' : `tasks:${hashOf(apiKey.trim(), `herald work ${settings}`)}`;

const hashOf = (key: string, value: string): string =>
  createHmac('sha256', key).update(value).digest('base64url').slice(0, LENGTH);
