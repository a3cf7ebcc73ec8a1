import { randomUUID } from 'node:crypto';
import {
  type CachedSpoken,
  type CallContext,
  encodeEntry,
  isStorable,
  type SharedPiece,
  type SharedSpeech,
  type Spoken,
  unlessAborted,
} from '@herald-speech/client/sharing';
import type { Redis } from '../redis/redis.js';
import { EndedCalls } from './ended-calls.js';
import { type Answer, type EntryLimits, LEASE_MS, SharedEntries } from './entries.js';

/** Milliseconds between two renewals of a lease: two of them may fail. */
const RENEW_MS = LEASE_MS / 3;
/** Milliseconds after which a waiting member looks again: a message that a call has ended can be lost. */
const LOOK_MS = 1000;
/** Milliseconds in which members that waited for a call without an entry make their calls, none waiting for another. */
const ALONE_MS = 5000;
/** The same for a piece that is too large for Redis: later equal requests do not wait either. */
const TOO_LARGE_MS = 3_600_000;
/** Milliseconds that `close` waits until entries are stored and leases have ended. */
const CLOSE_MS = 2000;

/** The place and the limits of the shared pieces. */
interface SharedSpeechOptions extends EntryLimits {
  /** `redis`: in Redis. `folder`: in the cache folder of the members, which is one shared folder. */
  in: 'redis' | 'folder';
  /** Milliseconds that a member waits for the call of another one. Then it makes the call. */
  maxWaitMs: number;
}

/** The piece that a member needs, and its call. */
interface Call {
  key: string;
  /** Identifies the call in the lease. */
  token: string;
  piece: SharedPiece;
  context: CallContext;
}

/**
 * Shares the speech of an account between members. Of equal requests at the same time, one member makes the call; it has a
 * lease, which it renews while the call is running. The other members wait. If Redis fails, each member makes its own call.
 */
export class FleetSpeech implements SharedSpeech {
  private readonly entries: SharedEntries;
  private readonly calls = new EndedCalls();
  private readonly jobs = new Set<Promise<unknown>>();
  private readonly renewals = new Set<NodeJS.Timeout>();
  private readonly unsubscribe: () => void;
  private isClosed = false;

  constructor(
    redis: Redis,
    private readonly options: SharedSpeechOptions,
  ) {
    this.entries = new SharedEntries(redis, options);
    this.unsubscribe = redis.subscribe(this.entries.channel, (key) => this.calls.ended(key));
  }

  async speak(key: string, piece: SharedPiece, context: CallContext): Promise<CachedSpoken> {
    const call = { key, token: randomUUID(), piece, context };
    const { answer, hasWaited } = await this.answerTo(call);
    if (answer.kind === 'found') {
      void piece.keep(answer.spoken);
      return { ...answer.spoken, cached: true };
    }
    if (hasWaited || answer.kind === 'alone') {
      const found = await this.find(call);
      if (found !== undefined) return { ...found, cached: true };
    }
    return this.send(call);
  }

  async has(key: string, signal?: AbortSignal): Promise<boolean> {
    const found = this.entries.has(key).catch(() => false);
    return unlessAborted(found, signal);
  }

  clear() {
    return this.entries.clear();
  }

  size() {
    return this.entries.size();
  }

  /** Ends all timers and the subscription. Waits up to two seconds until entries are stored. Running calls go on without a lease. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.unsubscribe();
    for (const timer of this.renewals) clearInterval(timer);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([Promise.all(this.jobs), late]);
    clearTimeout(timer);
  }

  /** Waits while another member makes the call. Without Redis, the answer is `lead`. @throws SpeechError the signal's reason */
  private async answerTo(call: Call): Promise<{ answer: Answer; hasWaited: boolean }> {
    const deadline = performance.now() + this.options.maxWaitMs;
    for (let hasWaited = false; ; hasWaited = true) {
      // From before the claim: the message can arrive before the answer.
      const listening = this.calls.listen(call.key);
      try {
        const answer = await this.claim(call);
        if (answer.kind !== 'wait' || performance.now() > deadline) return { answer, hasWaited };
        if (!hasWaited) call.context.onProgress({ state: 'queued' });
        await listening.wait(Math.min(answer.milliseconds + 1, LOOK_MS), call.context.signal);
      } finally {
        listening.stop();
      }
    }
  }

  private async claim(call: Call): Promise<Answer> {
    const { signal } = call.context;
    // After a late answer, the lease may exist.
    const claimed = this.entries.claim(call.key, call.token).catch((): Answer => ({ kind: 'lead' }));
    try {
      return await unlessAborted(claimed, signal);
    } catch (error) {
      this.inBackground(claimed.then(({ kind }) => (kind === 'lead' ? this.release(call, 0) : undefined)));
      throw error;
    }
  }

  /** Looks into the local files, where a member with the same folder may have stored the speech. */
  private async find(call: Call): Promise<Spoken | undefined> {
    let isFound = false;
    try {
      const found = await call.piece.find();
      isFound = found !== undefined;
      return found;
    } catch (error) {
      isFound = true;
      throw error;
    } finally {
      if (isFound) this.inBackground(this.release(call, 0));
    }
  }

  /** Makes the call and renews its lease meanwhile. Stores the speech in the background. */
  private async send(call: Call): Promise<CachedSpoken> {
    const stop = this.renewed(call);
    try {
      const spoken = await call.piece.send(call.context);
      this.inBackground(this.store(call, spoken).finally(stop));
      return { ...spoken, cached: false };
    } catch (error) {
      stop();
      this.inBackground(this.release(call, 0));
      throw error;
    }
  }

  /** Starts renewals, and repeats failed ones. They end if another member has the lease. Returns a function that ends them. */
  private renewed({ key, token }: Call): () => void {
    if (this.isClosed) return () => undefined;
    const stop = () => {
      clearInterval(timer);
      this.renewals.delete(timer);
    };
    const renew = async () => {
      const isOwn = await this.entries.renew(key, token).catch(() => true);
      if (!isOwn) stop();
    };
    const timer = setInterval(() => void renew(), RENEW_MS);
    this.renewals.add(timer);
    return stop;
  }

  /** Stores speech, first in Redis, and ends the lease when waiting members can find it. */
  private async store(call: Call, spoken: Spoken): Promise<void> {
    const { key, token, piece } = call;
    const kept = piece.keep(spoken);
    const isInRedis = this.options.in === 'redis' && isStorable(spoken);
    const entry = isInRedis ? encodeEntry(key, spoken) : undefined;
    const isTooLarge = entry !== undefined && !this.entries.fits(entry);
    if (entry !== undefined && !isTooLarge) {
      if (await this.entries.put(key, token, entry).catch(() => false)) return;
    }
    await kept;
    await this.release(call, isTooLarge ? TOO_LARGE_MS : ALONE_MS);
  }

  /** Ends the lease if this call has it. If Redis fails, the lease expires. */
  private release({ key, token }: Call, aloneMs: number): Promise<void> {
    return this.entries.release(key, token, aloneMs).catch(() => undefined);
  }

  private inBackground(job: Promise<unknown>): void {
    this.jobs.add(job);
    void job.catch(() => undefined).finally(() => this.jobs.delete(job));
  }
}
