import { type Bucket, OneByOne } from '@herald-speech/client/sharing';

/** Milliseconds between two signs of life. */
export const BEAT_MS = 1000;

/** The reply to a sign of life, in milliseconds. */
export interface News {
  credits: number;
  pauses: Record<Bucket, number>;
  /** Time until the next sign of life. */
  nextMs: number;
}

interface HeartbeatOptions {
  /** Sends a sign of life. Undefined if Redis lost its data. */
  send: () => Promise<News | undefined>;
  /** Whether the member is not closed, and Redis answers. */
  isAlive: () => boolean;
  /** Whether the member sends signs of life by itself. */
  isJoined: () => boolean;
}

/** Sends the signs of life of a member one after another: a reply must not change a share that was lent meanwhile. */
export class Heartbeat {
  private readonly beats = new OneByOne();
  private isWanted = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: HeartbeatOptions) {}

  /** Replaces the timer. A member has only one, and none after its end or without Redis. */
  schedule(milliseconds: number, work: () => void): void {
    this.stop();
    if (this.options.isAlive()) this.timer = setTimeout(work, milliseconds);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Sends the next sign of life later, unless the member came apart and waits to rejoin. */
  later(milliseconds: number): void {
    if (this.options.isJoined()) this.schedule(milliseconds, () => this.now());
  }

  /** Sends a sign of life at once, or after the reply to the last one. */
  now(): void {
    if (this.isWanted) return;
    this.isWanted = true;
    const beat = async () => {
      this.isWanted = false;
      if (!this.options.isJoined()) return;
      const news = await this.options.send();
      if (news !== undefined) this.later(news.nextMs);
    };
    // The connection reports its failure.
    this.beats.run(beat).catch(() => {});
  }

  /** Sends a sign of life after the reply to the last one, also if the member is apart. */
  once(): Promise<News | undefined> {
    return this.beats.run(() => this.options.send());
  }
}
