import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

interface Stored {
  digest: Buffer;
  /** Time of the clock in milliseconds. */
  expires: number;
}

export interface SecretOptions {
  /** Maximum number of secrets. A further secret removes the oldest one. */
  max: number;
  /** Returns milliseconds of a monotonic clock. */
  now?: (() => number) | undefined;
}

/** Random secrets with an expiry. They exist in memory only, as hashes, so a restart ends them. */
export class Secrets {
  #stored: readonly Stored[] = [];
  readonly #max: number;
  readonly #now: () => number;

  constructor({ max, now = () => performance.now() }: SecretOptions) {
    this.#max = max;
    this.#now = now;
  }

  /** Returns a new secret. @param lifetime milliseconds */
  create(lifetime: number): string {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const stored = { digest: digestOf(secret), expires: this.#now() + lifetime };
    this.#stored = [...this.#alive(), stored].slice(-this.#max);
    return secret;
  }

  /** Returns whether the secret is valid, and then lets it live for `lifetime` milliseconds from now. */
  renew(secret: string, lifetime: number): boolean {
    const found = this.#find(secret);
    for (const stored of found) stored.expires = this.#now() + lifetime;
    return found.length > 0;
  }

  /** Returns whether the secret was valid, and removes it. */
  take(secret: string): boolean {
    const found = this.#find(secret);
    this.#stored = this.#stored.filter((stored) => !found.includes(stored));
    return found.length > 0;
  }

  /** Compares all secrets in constant time, so that the duration reveals nothing about a secret. */
  #find(secret: string): Stored[] {
    const digest = digestOf(secret);
    return this.#alive().filter((stored) => timingSafeEqual(stored.digest, digest));
  }

  #alive(): readonly Stored[] {
    return this.#stored.filter(({ expires }) => expires > this.#now());
  }
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
