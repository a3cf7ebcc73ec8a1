import { randomBytes } from 'node:crypto';
import type { Text } from '@herald-speech/client';
import type { Bucket } from '@herald-speech/client/sharing';
import type { Argument, Redis, Script } from '../redis/redis.js';
import { numbersOf } from './numbers.js';
import { beatScript, leaveScript, limitKeys, restoreScript } from './scripts.js';

/** Milliseconds between two signs of life. */
const BEAT_MS = 1000;
/** Milliseconds in which a new member waits for its first connection before it goes on alone. */
const START_MS = 1000;

/** A place that this member has taken, at a time in `performance.now()` milliseconds. */
interface TakenPlace {
  bucket: Bucket;
  number: number;
  at: number;
}

/** The state of the membership: `starting` until the first connection has succeeded or failed. */
type Mode = 'starting' | 'joined' | 'apart';

/** News from other members, and changes of this one. */
interface Events {
  mode?: () => void;
  /** A place may be free earlier than expected. */
  turn?: () => void;
  /** The automatic rate or the number of members has changed. */
  figures?: () => void;
  pause?: (bucket: Bucket, milliseconds: number) => void;
  /** @param milliseconds without credits; 0 if the account has credits */
  credits?: (milliseconds: number) => void;
}

/** The membership of this process: signs of life, the places that it has taken, and news from the others. */
export class Member {
  readonly id = randomBytes(8).toString('hex');
  /** Members that were last known, this one included. */
  members = 1;
  private current: Mode = 'starting';
  private automaticRate: number | undefined;
  private hasStepped = false;
  /** Time of the last sign of life that Redis has recorded, in its clock. 0 before the first. */
  private seen = 0;
  private isClosed = false;
  private taken: TakenPlace[] = [];
  private numbers = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly start: NodeJS.Timeout;
  private readonly observers = new Set<Events>();
  private readonly endings: (() => void)[];
  private readonly keys: string[];

  /** @param windowMs milliseconds for which a place counts */
  constructor(
    private readonly redis: Redis,
    readonly windowMs: number,
  ) {
    this.keys = limitKeys(redis);
    this.endings = [
      redis.onChange(() => this.connectionChanged()),
      redis.subscribe(redis.key('news'), (message) => this.heard(message)),
    ];
    this.start = setTimeout(() => this.goApart(), START_MS);
    this.connectionChanged();
  }

  get mode(): Mode {
    return this.current;
  }

  /** The reason of the mode `apart`. */
  get reason(): Text | undefined {
    return this.redis.reason;
  }

  /** The automatic rate that the fleet has reached; undefined if it is not known. */
  get rate(): number | undefined {
    return this.automaticRate;
  }

  /** Runs a script of the limits. @throws SpeechError `no-connection`; then the mode becomes `apart` */
  run(script: Script, ...args: readonly Argument[]): Promise<unknown> {
    return this.redis.run(script, this.keys, [this.id, this.windowMs, ...args]);
  }

  /** Runs a script without waiting for it. A failure changes the mode. */
  send(script: Script, ...args: readonly Argument[]): void {
    if (this.current === 'joined') this.run(script, ...args).catch(() => {});
  }

  observe(events: Events): () => void {
    this.observers.add(events);
    return () => this.observers.delete(events);
  }

  /** Returns the first of some new numbers of places. */
  reserve(count: number): number {
    this.numbers += count;
    return this.numbers - count;
  }

  /** Remembers a place until it leaves the window. A Redis that lost its data gets it again. */
  take(bucket: Bucket, number: number, now: number): void {
    this.forgetOld(now);
    this.taken.push({ bucket, number, at: now });
  }

  /** Counts a place that was used late from `now` on. */
  delay(bucket: Bucket, number: number): void {
    this.send(restoreScript, '', '', bucket, number, 0);
  }

  /** Sets the automatic rate, after a reply of the service while this member was apart. */
  stepTo(rate: number): void {
    this.hasStepped = true;
    this.setRate(rate);
  }

  /** Sets the automatic rate of the fleet. */
  setRate(rate: number | undefined): void {
    if (rate === undefined || rate === this.automaticRate) return;
    this.automaticRate = rate;
    this.tell((events) => events.figures?.());
  }

  /** Reports all places to Redis, and becomes a member that Redis knows. @throws SpeechError `no-connection` */
  async restore(): Promise<void> {
    const now = performance.now();
    this.forgetOld(now);
    const places = this.taken.flatMap(({ bucket, number, at }) => [bucket, number, Math.floor(now - at)]);
    const stepped = this.hasStepped ? (this.automaticRate ?? '') : '';
    await this.run(restoreScript, this.seen, stepped, ...places);
    this.hasStepped = false;
  }

  /** Leaves the fleet. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    if (this.current === 'joined') await this.run(leaveScript).catch(() => {});
    clearTimeout(this.timer);
    clearTimeout(this.start);
    for (const end of this.endings) end();
    this.setMode('apart');
    this.observers.clear();
  }

  private connectionChanged(): void {
    if (this.redis.isJoined) void this.rejoin();
    else if (this.current === 'joined' || this.redis.reason?.key !== 'redis-connecting') this.goApart();
  }

  private async rejoin(): Promise<void> {
    try {
      await this.restore();
      const { credits, pauses } = await this.beat();
      if (this.isClosed || !this.redis.isJoined) return;
      if (credits > 0) this.tell((events) => events.credits?.(credits));
      this.hearPause('general', pauses.general);
      this.hearPause('clone', pauses.clone);
      this.setMode('joined');
    } catch {
      // The connection reports its failure.
    }
  }

  private goApart(): void {
    clearTimeout(this.timer);
    // Also if the mode stays: the reason may have changed.
    if (this.current !== 'starting' || !this.redis.isJoined) this.setMode('apart');
  }

  /** Sends a sign of life. Returns the milliseconds without credits, and of the pauses of both buckets. */
  private async beat(): Promise<{ credits: number; pauses: Record<Bucket, number> }> {
    clearTimeout(this.timer);
    const [known = 0, members = 1, rate, credits = 0, general = 0, clone = 0, now = 0] = numbersOf(
      await this.run(beatScript),
    );
    if (known === 0) await this.restore();
    this.seen = now;
    this.setRate(rate);
    if (members !== this.members) {
      this.members = Math.max(1, members);
      this.tell((events) => events.figures?.());
    }
    if (!this.isClosed && this.redis.isJoined)
      this.timer = setTimeout(() => void this.beat().catch(() => {}), BEAT_MS);
    return { credits, pauses: { general, clone } };
  }

  private heard(message: string): void {
    const [kind, first = '', second = ''] = message.split(' ');
    if (kind === 'credits') this.tell((events) => events.credits?.(Number(first)));
    else if (kind === 'rate') this.setRate(Number(first));
    else if (kind === 'pause') this.hearPause(first === 'clone' ? 'clone' : 'general', Number(second));
    this.tell((events) => events.turn?.());
  }

  private hearPause(bucket: Bucket, milliseconds: number): void {
    if (milliseconds > 0) this.tell((events) => events.pause?.(bucket, milliseconds));
  }

  private setMode(mode: Mode): void {
    clearTimeout(this.start);
    this.current = mode;
    this.tell((events) => events.mode?.());
  }

  private tell(call: (events: Events) => void): void {
    for (const events of this.observers) call(events);
  }

  private forgetOld(now: number): void {
    const recent = this.taken.findIndex(({ at }) => at + this.windowMs > now);
    this.taken.splice(0, recent < 0 ? this.taken.length : recent);
  }
}
