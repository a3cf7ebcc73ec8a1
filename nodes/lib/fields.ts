import { z } from '@herald-speech/client';

/** A request field that each action validates itself. Other actions ignore it, as it can be meant for another node. */
export const unchecked = () => z.unknown().optional();

/** A request field whose value is a key of `table`. */
export const keyField = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  z.enum(Object.keys(table).filter((name): name is Name => name in table));
