import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Caller, isLoopbackRequest } from './loopback.js';

/** The header of a session's token. A page of another site cannot send it, because the service sends no CORS headers. */
export const SESSION_HEADER = 'x-herald-session';

/** Maximum number of sessions. A further session ends the oldest one, whose page then opens a new session. */
export const MAX_SESSIONS = 64;
/** Milliseconds. */
export const SESSION_LIFETIME = 3_600_000;

const TOKEN_BYTES = 32;

interface Session {
  digest: Buffer;
  expires: number;
}

/** The open sessions of the console. They exist in memory only, so a restart ends them. */
export class Sessions {
  #sessions: readonly Session[] = [];

  /** @param now returns milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Opens a session and returns its token. The service stores only a hash of the token. */
  open(): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const session = { digest: digestOf(token), expires: this.now() + SESSION_LIFETIME };
    this.#sessions = [...this.#alive(), session].slice(-MAX_SESSIONS);
    return token;
  }

  /** Returns whether a request has the token of an open session, and comes from the same computer. */
  admits(caller: Caller): boolean {
    const token = caller.headers[SESSION_HEADER];
    return typeof token === 'string' && isLoopbackRequest(caller) && this.#isOpen(token);
  }

  /** Compares the token with every session, so that the duration reveals nothing about a token. */
  #isOpen(token: string): boolean {
    const digest = digestOf(token);
    return this.#alive().filter((session) => timingSafeEqual(session.digest, digest)).length > 0;
  }

  #alive(): readonly Session[] {
    return this.#sessions.filter(({ expires }) => expires > this.now());
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
