import type { Text } from '@herald-speech/client';
import type { RedisOptions } from 'ioredis';

/** The options of a connection. */
export type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

/** A Lua script that Redis runs atomically. */
export interface Script {
  lua: string;
  /** SHA-1 of `lua` in hexadecimal. */
  sha: string;
}

/** A key, number or binary value of a script. */
export type Argument = string | number | Buffer;

/** The connection of a member to Redis. All keys and channels belong to one account. */
export interface Redis {
  /** Whether Redis answers in time and accepts writes. */
  readonly isJoined: boolean;
  /** The reason why `isJoined` is false. */
  readonly reason: Text | undefined;
  /** `PREFIX{ID}`, the beginning of all keys of the account. */
  readonly prefix: string;
  /** Returns the full name of a key or channel: `PREFIX{ID}:NAME`. All keys of an account have one cluster slot. */
  key(name: string): string;
  /**
   * Runs a script. Resolves with its reply: numbers, strings, null or lists of them. A command before the first connection waits
   * for it, at most for its deadline.
   * @param keys full names
   * @throws SpeechError `no-connection` if Redis does not reply within the deadline, or while `isJoined` is false
   */
  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown>;
  /** Runs a script as `run` does. Strings in the reply are Buffers. @throws SpeechError as `run` */
  runBinary(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown>;
  /**
   * Receives the messages of a channel, also after a new connection. Messages during a lost connection are lost.
   * @param channel full name
   * @returns a function that ends the subscription
   */
  subscribe(channel: string, listener: (message: string) => void): () => void;
  /** Calls the listener when `isJoined` or `reason` changes. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}
