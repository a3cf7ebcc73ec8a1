import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Caller, isFromThisMachine } from './loopback.js';

/** The header that carries a session's token. A foreign page can't send it: the service never allows it to (CORS). */
export const SESSION_HEADER = 'x-herald-session';

/** Sessions at a time; one more ends the oldest, whose page gets itself another. */
export const MAX_SESSIONS = 64;
/** Milliseconds. */
export const SESSION_LIFETIME = 3_600_000;

const TOKEN_BYTES = 32;

interface Session {
  digest: Buffer;
  expires: number;
}

/** The open sessions of the console, in memory alone: a restart ends them. */
export class Sessions {
  #sessions: readonly Session[] = [];

  /** @param now milliseconds, on a clock that never goes back */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Opens a session. @returns its token, which is kept nowhere here */
  open(): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const session = { digest: digestOf(token), expires: this.now() + SESSION_LIFETIME };
    this.#sessions = [...this.#alive(), session].slice(-MAX_SESSIONS);
    return token;
  }

  /** Whether a request carries the token of an open session, and comes from this machine. */
  admits(caller: Caller): boolean {
    const token = caller.headers[SESSION_HEADER];
    return typeof token === 'string' && isFromThisMachine(caller) && this.#isOpen(token);
  }

  /** Looks at every session, whichever it is, in a time that tells nothing about a token. */
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
