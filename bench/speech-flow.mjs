/** The nodes that a bench compares: text to speech with a hosted account, and the core node with the same request. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';

const KEY = 'key-for-the-bench-of-32-letters-';
/** The messages that text to speech works on at a time. */
export const CONCURRENCY = 4;

export const accountNode = (/** @type {string} */ id, /** @type {string | undefined} */ url) => ({
  id,
  type: 'herald-account',
  service: 'hosted',
  url,
  requestsPerMinute: '1000000',
  voice_id: 'rms',
  language: 'en',
  concurrency: String(CONCURRENCY),
  credentials: { apiKey: KEY },
});

export const speechNode = (/** @type {string} */ id, /** @type {string} */ account, isCached = false) => ({
  id,
  type: 'herald-text-to-speech',
  account,
  retry_attempts: '1',
  parallel: String(CONCURRENCY),
  cache: String(isCached),
  cacheType: 'bool',
});

export const requestNode = (/** @type {string} */ id, /** @type {string | undefined} */ url) => ({
  id,
  type: 'http request',
  method: 'POST',
  ret: 'bin',
  paytoqs: 'ignore',
  url: `${url}/v1/text-to-speech/rms`,
  headers: [{ keyType: 'other', keyValue: 'x-sup-api-key', valueType: 'other', valueValue: KEY }],
});

/**
 * Returns the audio of a message.
 * @param {import('./node-red.mjs').Message} message
 * @throws {Error} if the message has none
 */
export function audioOf({ payload, error }) {
  assert.ok(Buffer.isBuffer(payload) && payload.length > 3000, inspect(error ?? payload));
  return payload;
}
