import type { Fleet } from '../../../fleet/fleet.js';
import { never } from '../../support/waiting.js';
import { limiterOf, soon } from './support.js';

/** Requests per minute of the members of a test. */
export const LIMIT = 12;
export const limits = { requestsPerMinute: LIMIT };

/** Starts more calls than the limit allows, and returns the number of places that were granted. */
export function placesOf(fleet: Fleet | undefined): () => number {
  let granted = 0;
  const limiter = limiterOf(fleet, limits);
  for (let index = 0; index < LIMIT * 3; index += 1)
    limiter.acquire('general', { signal: never }).then(
      () => (granted += 1),
      () => {},
    );
  return () => granted;
}

/** Resolves when all members have joined. */
export const allJoined = async (fleets: readonly Fleet[]): Promise<void> => {
  await Promise.all(fleets.map((fleet) => fleet.joined(soon())));
};
