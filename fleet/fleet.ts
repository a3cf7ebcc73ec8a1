import type { Text } from '@herald-speech/client';
import { createCreditLatch, onAbort, reasonOf, type Sharing, WINDOW_MS } from '@herald-speech/client/sharing';
import { createSharedSpeech, type FleetCache } from './cache/index.js';
import { FleetLimiter, shareOf } from './limits/fleet-limiter.js';
import { FRESH_MS } from './limits/fleet-places.js';
import { Member } from './limits/member.js';
import { creditsScript } from './limits/scripts.js';
import { accountId, type FleetAccount, queueOf } from './redis/account-id.js';
import { connect } from './redis/connection.js';
import type { RedisServer } from './redis/server.js';
import { createWorkQueue, type WorkQueue } from './work/index.js';
import type { WorkLimits } from './work/limits.js';

export interface FleetOptions extends RedisServer {
  /** Members with equal URL and key share limits. Redis gets only a keyed hash of both. */
  account: FleetAccount;
  /**
   * The settings of the service that each task of a member needs. Members do tasks only of members with an equal value. Redis gets
   * only a keyed hash. Default: any member of the account does each task.
   */
  work?: string | undefined;
  cache?: FleetCache | undefined;
  /** Receives each change of the state. */
  onChange?: ((state: FleetState) => void) | undefined;
}

/** The state of a fleet, seen by one member. */
export interface FleetState {
  /** Whether this member shares with the others. False while Redis fails. */
  isJoined: boolean;
  /** Members that were last known, this one included. */
  members: number;
  /** Why `isJoined` is false. */
  reason?: Text | undefined;
  /** Requests a minute of this member while `isJoined` is false; 0 if other members use its share at present. */
  share: number;
}

/** The membership of one process in the fleet of an account. */
export interface Fleet {
  /** The option `sharing` of the client. */
  readonly sharing: Sharing;
  readonly work: WorkQueue;
  readonly state: FleetState;
  /** Resolves when this member has joined. @throws SpeechError the signal's reason */
  joined(signal: AbortSignal): Promise<void>;
  /** Leaves the fleet and ends all connections and timers. Clients go on with local limits. */
  close(): Promise<void>;
}

/** Limits of a member in milliseconds. */
export interface FleetTimes {
  /** The window of the rate limits. */
  windowMs?: number | undefined;
  /** The deadline of a command. */
  commandMs?: number | undefined;
  work?: Partial<WorkLimits>;
}

/** Audio in Redis by default. */
const DEFAULT_CACHE = { in: 'redis' } as const;

/** Requests a minute of an account whose client has not been created yet. */
const DEFAULT_RATE = 60;

/** Milliseconds by which the first requests of a busy process may arrive late: it opens many connections at once. */
const CONNECTING_MS = 500;

/** Milliseconds for which a place counts. A request may be sent later than its place was granted. */
const FLEET_WINDOW_MS = WINDOW_MS + FRESH_MS + CONNECTING_MS;

/**
 * Joins the fleet of an account (index.ts).
 * @param times replaces limits in milliseconds, for tests
 */
export function createFleet(options: FleetOptions, times: FleetTimes = {}): Fleet {
  const redis = connect(options, accountId(options.account), times.commandMs);
  const member = new Member(redis, times.windowMs ?? FLEET_WINDOW_MS);
  const speech = createSharedSpeech(redis, options.cache ?? DEFAULT_CACHE);
  const work = createWorkQueue(redis, times.work, queueOf(options.account, options.work));
  const limiters = new Set<FleetLimiter>();
  const credits = createCreditLatch((milliseconds) => member.send(creditsScript, milliseconds));
  const state = () => stateOf(member, limiters);
  const changed = reporter(state, options.onChange);
  member.observe({
    mode: changed,
    figures: changed,
    credits: (milliseconds) => credits.closeFor(milliseconds),
  });
  return {
    sharing: {
      limiter(settings) {
        const limiter: FleetLimiter = new FleetLimiter(member, settings, () => limiters.delete(limiter));
        limiters.add(limiter);
        return limiter;
      },
      credits: () => credits,
      speech,
    },
    work,
    get state() {
      return state();
    },
    joined: (signal) => joined(member, signal),
    async close() {
      await Promise.all([work.close(), speech?.close()]);
      await member.close();
      redis.close();
    },
  };
}

function stateOf({ mode, reason, members, claim }: Member, limiters: ReadonlySet<FleetLimiter>): FleetState {
  const rates = [...limiters].map(({ rate }) => rate);
  const rate = rates.length === 0 ? DEFAULT_RATE : Math.min(...rates);
  const share = claim.from > performance.now() ? 0 : shareOf(rate, claim.divisor);
  const isJoined = mode === 'joined';
  return { isJoined, members, share, reason: isJoined ? undefined : reason };
}

/** Returns a function that reports the state if it differs from the last report. */
function reporter(state: () => FleetState, onChange: FleetOptions['onChange']): () => void {
  let last = '';
  return () => {
    const now = state();
    const { isJoined, members, share, reason } = now;
    const facts = [isJoined, members, share, reason?.english].join(' ');
    if (facts !== last) onChange?.(now);
    last = facts;
  };
}

function joined(member: Member, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      unlink();
      stop();
    };
    const check = () => {
      if (member.mode !== 'joined') return;
      end();
      resolve();
    };
    const stop = member.observe({ mode: check });
    const unlink = onAbort(signal, () => {
      stop();
      reject(reasonOf(signal));
    });
    check();
  });
}
