import { createCreditLatch, createLimiter, type Sharing } from '@herald-speech/client/sharing';
import type { FleetOptions, FleetState } from './options.js';
import type { WorkQueue } from './work/index.js';

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

/** Joins the fleet of an account (index.ts). */
export function joinFleet(_options: FleetOptions): Fleet {
  const sharing = { limiter: createLimiter, credits: createCreditLatch };
  const state = { isJoined: false, members: 1, share: 60 };
  const work: WorkQueue = {
    serve: () => {},
    submit: () => Promise.reject(new Error('not implemented')),
  };
  return { sharing, work, state, joined: () => new Promise(() => {}), close: () => Promise.resolve() };
}
