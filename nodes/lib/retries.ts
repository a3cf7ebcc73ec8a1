import { between, lazy, z } from '@herald-speech/client';
import { numberProperty, type Property } from './property.js';

const MAX_ATTEMPTS = 20;
const MAX_WAIT_SECONDS = 3600;

/** The request fields of the retries, with their defaults. */
export const retryFields = lazy(() => ({
  retry_attempts: between(z.int(), 1, MAX_ATTEMPTS).default(3),
  retry_wait: between(z.number(), 0, MAX_WAIT_SECONDS).default(60),
}));

/** The node properties of the retries. */
export const retryProperties = {
  retry_attempts: numberProperty('repeat', { section: 'queue' }),
  retry_wait: numberProperty('hourglass-half', { section: 'queue' }),
} satisfies Record<string, Property>;
