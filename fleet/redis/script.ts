import { createHash } from 'node:crypto';
import type { Script } from './redis.js';

/** Returns a script with its hash. */
export function scriptOf(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}
