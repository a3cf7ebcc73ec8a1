import { randomBytes } from 'node:crypto';
import type { Text } from '@herald-speech/client';
import type { Argument, Redis, Script } from '../redis/redis.js';
import { Claim } from './claim.js';
import { BEAT_MS, Heartbeat, type News } from './heartbeat.js';
import { type Events, Observers } from './observers.js';
import { numbersOf } from './numbers.js';
import { beatScript, leaveScript, limitKeys, restoreScript } from './scripts.js';
import { placesReport, type TakenPlace, TakenPlaces } from './taken-places.js';

/** Milliseconds in which a new member waits for its first connection before it goes on alone. */
const START_MS = 1000;

/** The state of the membership: `starting` until the first connection has succeeded or failed. */
type Mode = 'starting' | 'joined' | 'apart';

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
  readonly claim: Claim;
  /** The places of the last window. A Redis that lost its data gets them again. */
  readonly taken: TakenPlaces;
  /** Whether others need loans. */
  private isDemanded = false;
  private readonly heartbeat = new Heartbeat({
    send: () => this.sendBeat(),
    isAlive: () => !this.isClosed && this.redis.isJoined,
    isJoined: () => this.current === 'joined',
  });
  private isClosed = false;
  private readonly start: NodeJS.Timeout;
  private readonly observers = new Observers();
  private readonly endings: (() => void)[];
  private readonly keys: string[];

  /** @param windowMs milliseconds for which a place counts */
  constructor(
    private readonly redis: Redis,
    readonly windowMs: number,
  ) {
    this.keys = limitKeys(redis);
    this.claim = new Claim(windowMs);
    this.taken = new TakenPlaces(windowMs);
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
    return this.observers.add(events);
  }

  /** Counts a place that was used late from now on. */
  delay(place: TakenPlace): void {
    place.at = performance.now();
    if (this.current === 'joined') this.report(placesReport([place]));
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
    this.observers.tell((events) => events.figures?.());
  }

  /**
   * Reports all places and the share to Redis, and becomes a member that Redis knows. If Redis lost its data, this member is apart
   * until the other members have reported too. Returns whether Redis may grant places. After `close`, it reports nothing.
   * @throws SpeechError `no-connection`
   */
  async restore(): Promise<boolean> {
    if (this.isClosed) return false;
    const stepped = this.hasStepped ? (this.automaticRate ?? '') : '';
    const { divisor } = this.claim;
    const [settleMs = 0, now = 0] = numbersOf(
      await this.run(
        restoreScript,
        this.seen,
        stepped,
        divisor,
        this.claim.lentUntil(),
        ...placesReport(this.taken.all()),
      ),
    );
    this.hasStepped = false;
    // A Redis that lost its data may have another clock. The next report must not look like a second loss.
    this.seen = now;
    this.claim.setClock(now);
    if (settleMs > 0) this.settle(settleMs);
    return settleMs === 0;
  }

  /** Leaves the fleet. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.heartbeat.stop();
    // Also if this member is not joined yet: its report may be on the way.
    if (this.redis.isJoined) await this.run(leaveScript).catch(() => {});
    clearTimeout(this.start);
    for (const end of this.endings) end();
    this.setMode('apart');
    this.observers.clear();
  }

  private connectionChanged(): void {
    if (this.redis.isJoined) void this.rejoin();
    else if (this.current === 'joined' || this.redis.reason?.key !== 'redis-connecting') this.goApart();
  }

  /** Goes on with the share of this member until Redis knows the places of the others. */
  private settle(milliseconds: number): void {
    this.claim.hold(milliseconds + this.windowMs);
    this.heartbeat.schedule(Math.min(milliseconds, BEAT_MS), () => void this.rejoin());
    if (this.current !== 'apart') this.setMode('apart');
  }

  private async rejoin(): Promise<void> {
    if (this.isClosed || !this.redis.isJoined) return;
    const unreported = this.taken.reserve(0);
    try {
      const isRestored = await this.restore();
      // The report may have arrived after the end of the membership.
      if (this.isClosed) await this.run(leaveScript);
      if (this.isClosed || !isRestored) return;
      const news = await this.heartbeat.once();
      if (this.isClosed || !this.redis.isJoined || news === undefined) return;
      const { credits, pauses, nextMs } = news;
      if (credits > 0) this.observers.tell((events) => events.credits?.(credits));
      this.observers.pause('general', pauses.general);
      this.observers.pause('clone', pauses.clone);
      this.report(placesReport(this.taken.all().filter(({ number }) => number >= unreported)));
      if (this.current !== 'joined') this.setMode('joined');
      this.heartbeat.later(nextMs);
    } catch {
      // The connection reports its failure.
    }
  }

  private report(places: readonly Argument[]): void {
    if (places.length > 0 && !this.isClosed) this.run(restoreScript, '', '', 0, 0, ...places).catch(() => {});
  }

  private goApart(): void {
    this.heartbeat.stop();
    // Also if the mode stays: the reason may have changed.
    if (this.current !== 'starting' || !this.redis.isJoined) this.setMode('apart');
  }

  /**
   * Sends a sign of life. Returns the milliseconds without credits, of the pauses of both buckets, and until the next sign of life;
   * undefined if Redis lost its data.
   */
  private async sendBeat(): Promise<News | undefined> {
    const { divisor } = this.claim;
    const lends = this.lends();
    if (lends) this.claim.lend();
    const reply = numbersOf(await this.run(beatScript, divisor, lends ? this.claim.lentUntil() : 0));
    const [known = 0, members = 1, rate, credits = 0, general = 0, clone = 0, now = 0] = reply;
    if (known === 0) {
      void this.rejoin();
      return undefined;
    }
    const [claimed = 1, ownsShare = 0, demand = 0] = reply.slice(7);
    const isChanged = this.claim.update(now, claimed, ownsShare === 1) || members !== this.members;
    this.seen = now;
    this.isDemanded = demand === 1;
    this.setRate(rate);
    this.members = Math.max(1, members);
    if (isChanged) this.observers.tell((events) => events.figures?.());
    // Redis keeps the larger share until this member reports the smaller one.
    const isLarger = divisor > 0 && divisor < claimed;
    return { credits, pauses: { general, clone }, nextMs: isLarger ? 0 : BEAT_MS };
  }

  /** Whether this member lends its share: another one needs it, and no own call waits. */
  private lends(): boolean {
    if (!this.isDemanded || this.current !== 'joined' || this.claim.divisor < 2) return false;
    return !this.observers.isBusy;
  }

  private heard(message: string): void {
    const [kind, first = '', second = ''] = message.split(' ');
    if (kind === 'credits') this.observers.tell((events) => events.credits?.(Number(first)));
    else if (kind === 'rate') this.setRate(Number(first));
    else if (kind === 'pause') this.observers.pause(first === 'clone' ? 'clone' : 'general', Number(second));
    else if (kind === 'lend' || kind === 'beat') this.hearBeat(kind === 'lend');
    this.observers.tell((events) => events.turn?.());
  }

  private hearBeat(isDemanded: boolean): void {
    this.isDemanded ||= isDemanded;
    if (this.current === 'joined') this.heartbeat.now();
    else if (this.current === 'apart') void this.rejoin();
  }

  private setMode(mode: Mode): void {
    clearTimeout(this.start);
    this.current = mode;
    this.observers.tell((events) => events.mode?.());
  }
}
