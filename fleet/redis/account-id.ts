import { createHmac } from 'node:crypto';
import { baseUrl, usableKey } from '@herald-speech/client/sharing';

/** Characters of an identity: 132 bits. */
const LENGTH = 22;

/** The account of a fleet. */
export interface FleetAccount {
  url: string;
  apiKey: string;
}

/**
 * Returns the identity of an account in Redis. It is a hash with the API key as secret, so that Redis never gets the key.
 * @throws SpeechError `not-configured` if the client would not accept the URL or the key
 */
export function accountId({ url, apiKey }: FleetAccount): string {
  return createHmac('sha256', usableKey(apiKey))
    .update(`herald fleet ${baseUrl(url)}`)
    .digest('base64url')
    .slice(0, LENGTH);
}
