import { z } from '@herald-speech/client';

/** A field of a request that each action checks itself: what else a message carries may be meant for other nodes. */
export const unchecked = z.unknown().optional();

/** A field of a request that names an entry of a table; its `options` are the names, in their order. */
export const entryOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  z.enum(Object.keys(table).filter((name): name is Name => name in table));
