import { z } from '@herald-speech/client';
import { decodeEntry, OneByOne, type Spoken } from '@herald-speech/client/sharing';
import type { Argument, Redis, Script } from '../redis/redis.js';
import { scripts } from './scripts.js';

/** Milliseconds after which another member may take over the call of a dead member. */
export const LEASE_MS = 5000;
/** Counted bytes of an entry in addition to its content: its names in the keyspace and in the index. */
export const OVERHEAD_BYTES = 600;
/** Damaged entries of one key in turn. After that, the member makes the call without a lease. */
const MAX_DAMAGED = 3;

/** The limits of the entries in Redis. */
export interface EntryLimits {
  /** Bytes of all entries, their names included. */
  maxBytes: number;
  /** Bytes of one entry. */
  maxPieceBytes: number;
  /** Seconds after the last use until an entry expires. */
  seconds: number;
}

/** The number of entries, and their bytes with their names. */
export interface SharedSize {
  bytes: number;
  entries: number;
}

/**
 * The answer to a member that needs speech:
 * `found`: stored speech; `lead`: the member makes the call; `wait`: another member makes it, and its lease expires in
 * `milliseconds`; `alone`: the call has just ended without a stored entry, so waiting would not help.
 */
export type Answer =
  | { kind: 'found'; spoken: Spoken }
  | { kind: 'lead' | 'alone' }
  | { kind: 'wait'; milliseconds: number };

const kind = z.instanceof(Buffer).transform(String);
const claimReply = z.union([
  z.tuple([kind.pipe(z.literal('found')), z.instanceof(Buffer)]),
  z.tuple([kind.pipe(z.literal('wait')), z.number()]),
  z.tuple([kind.pipe(z.enum(['lead', 'alone']))]),
]);
const sizeReply = z.tuple([z.number(), z.number()]);

/** The entries and leases of one account in Redis. */
export class SharedEntries {
  /** Full name of the channel whose messages are the names of ended calls. */
  readonly channel: string;
  private readonly keys: readonly string[];
  /** Sends one entry after the other: several large ones at once would exceed the deadline in a slow network. */
  private readonly transfers = new OneByOne();

  constructor(
    private readonly redis: Redis,
    private readonly limits: EntryLimits,
  ) {
    this.channel = redis.key('speech-ended');
    this.keys = ['speech:', 'speech-used', 'speech-sizes', 'lease:'].map((name) => redis.key(name));
  }

  /**
   * Returns the entry of a key, or takes its lease. Deletes a damaged entry.
   * @param token identifies the call
   * @throws SpeechError `no-connection`
   */
  async claim(key: string, token: string): Promise<Answer> {
    for (let damaged = 0; damaged < MAX_DAMAGED; damaged += 1) {
      const args = [key, token, LEASE_MS, this.limits.seconds * 1000];
      const reply = await this.transfers.run(() => this.redis.runBinary(scripts.claim, this.keys, args));
      const [kind, value] = claimReply.parse(reply);
      if (kind === 'wait') return { kind, milliseconds: Math.max(0, value) };
      if (kind !== 'found') return { kind };
      const spoken = decodeEntry(key, value);
      if (spoken !== undefined) return { kind, spoken };
      await this.run(scripts.drop, [key]);
    }
    return { kind: 'alone' };
  }

  /** Renews a lease. Returns whether the caller has it. @throws SpeechError `no-connection` */
  async renew(key: string, token: string): Promise<boolean> {
    return (await this.run(scripts.renew, [key, token, LEASE_MS])) === 1;
  }

  /**
   * Ends a lease and wakes the waiting members.
   * @param milliseconds time in which other members do not wait for calls of this key
   * @throws SpeechError `no-connection`
   */
  async release(key: string, token: string, milliseconds: number): Promise<void> {
    await this.run(scripts.release, [key, token, this.channel, milliseconds]);
  }

  /** Whether an entry may be stored. */
  fits(entry: Buffer): boolean {
    const { maxBytes, maxPieceBytes } = this.limits;
    return entry.length <= maxPieceBytes && entry.length + OVERHEAD_BYTES <= maxBytes;
  }

  /**
   * Stores an entry that `fits`, ends the lease and wakes the waiting members. Returns false, and the lease goes on, if Redis is
   * full. @throws SpeechError `no-connection`
   */
  async put(key: string, token: string, entry: Buffer): Promise<boolean> {
    const { maxBytes, seconds } = this.limits;
    const bytes = entry.length + OVERHEAD_BYTES;
    const args = [key, token, this.channel, entry, bytes, maxBytes, seconds * 1000];
    return (await this.transfers.run(() => this.run(scripts.put, args))) === 1;
  }

  /** Returns whether an entry exists, or a member makes the call. @throws SpeechError `no-connection` */
  async has(key: string): Promise<boolean> {
    return (await this.run(scripts.has, [key])) === 1;
  }

  /** @throws SpeechError `no-connection` */
  async size(): Promise<SharedSize> {
    const [bytes, entries] = sizeReply.parse(await this.run(scripts.size, []));
    return { bytes, entries };
  }

  /** Deletes all entries. Running calls go on. @throws SpeechError `no-connection` */
  async clear(): Promise<void> {
    await this.run(scripts.removeAll, []);
  }

  private run(script: Script, args: readonly Argument[]): Promise<unknown> {
    return this.redis.run(script, this.keys, args);
  }
}
