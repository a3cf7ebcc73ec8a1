import { createHmac } from 'node:crypto';

/** Characters of an identity: 132 bits. */
const LENGTH = 22;

/**
 * Returns the identity of an account in Redis. It is a hash with the API key as secret, so that Redis never gets the key.
 * @param account `url` is the base URL of the service, in the form of the client's settings
 */
export function accountId({ url, apiKey }: { url: string; apiKey: string }): string {
  return createHmac('sha256', apiKey).update(`herald fleet ${url}`).digest('base64url').slice(0, LENGTH);
}
