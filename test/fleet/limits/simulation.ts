import type { Redis as Client } from 'ioredis';
import { SpeechError } from '../../../client/base/errors.js';
import type { Argument, Redis, Script } from '../../../fleet/redis/redis.js';

/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An event loop that runs one thing at a time. */
export interface Loop {
  /** Time at which it has done its present work. */
  busyUntil: number;
  isDead: boolean;
}

interface Task {
  at: number;
  order: number;
  loop: Loop | undefined;
  run: () => unknown;
}

const real = { setTimeout, clearTimeout, setImmediate, now: performance.now.bind(performance) };

/** Time and event loops of a simulation. While `run` works, the timers and the clock of this process are those of the simulation. */
export class World {
  now = 0;
  /** The event loop whose code runs now. */
  private loop: Loop | undefined;
  private readonly tasks = new Map<number, Task>();
  private orders = 0;

  constructor(readonly random: () => number) {}

  /** Runs a function later on an event loop, or outside all of them. */
  at(at: number, loop: Loop | undefined, run: () => unknown): number {
    const order = (this.orders += 1);
    this.tasks.set(order, { at, order, loop, run });
    return order;
  }

  /** A random number between two numbers; small ones are as frequent as large ones. */
  between(low: number, high: number): number {
    return low * (high / low) ** this.random();
  }

  async run(until: number): Promise<void> {
    this.replaceTimers();
    try {
      for (let task = this.next(); task !== undefined && task.at < until; task = this.next())
        await this.perform(task);
    } finally {
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
      Object.assign(globalThis, { setImmediate: real.setImmediate });
      performance.now = real.now;
    }
  }

  private next(): Task | undefined {
    let first: Task | undefined;
    for (const task of this.tasks.values())
      if (first === undefined || task.at < first.at || (task.at === first.at && task.order < first.order))
        first = task;
    return first;
  }

  private async perform(task: Task): Promise<void> {
    const { at, order, loop, run } = task;
    if (loop !== undefined && loop.busyUntil > at) {
      task.at = loop.busyUntil;
      return;
    }
    this.tasks.delete(order);
    this.now = Math.max(this.now, at);
    if (loop?.isDead) return;
    if (loop !== undefined) loop.busyUntil = this.now + this.stall();
    this.loop = loop;
    await run();
    this.loop = loop;
    // All promises that can settle now.
    await new Promise((resolve) => real.setImmediate(resolve));
    this.loop = undefined;
  }

  /** Milliseconds for which a turn of an event loop takes: mostly none, sometimes seconds. */
  private stall(): number {
    const luck = this.random();
    if (luck < 0.002) return this.between(100, 3000);
    return luck < 0.05 ? this.between(0.1, 100) : 0;
  }

  private replaceTimers(): void {
    const later = (run: () => void, milliseconds = 0) =>
      this.loop === undefined
        ? real.setTimeout(run, milliseconds)
        : this.at(this.now + Math.max(1, milliseconds), this.loop, run);
    const cancel = (timer: unknown) => {
      if (typeof timer === 'number') this.tasks.delete(timer);
    };
    const soon = (run: () => void) =>
      this.loop === undefined
        ? real.setImmediate(run)
        : this.at(Math.max(this.now, this.loop.busyUntil), this.loop, run);
    Object.assign(globalThis, { setTimeout: later, clearTimeout: cancel, setImmediate: soon });
    performance.now = () => this.now;
  }
}

/** The beginning of all scripts: the clock is the one of the simulation, no key expires, and messages are in a list. */
const PROLOGUE = `
local server = redis
local redis = {
  call = function(name, ...)
    if name == 'PEXPIRE' then return 1 end
    if name == 'PUBLISH' then return server.call('RPUSH', 'published', select(2, ...)) end
    if name ~= 'TIME' then return server.call(name, ...) end
    local now = tonumber(server.call('GET', 'clock'))
    return { math.floor(now / 1000), now % 1000 * 1000 }
  end,
}
`;
const EPOCH = 1_000_000_000;

/** A Redis that hangs, restarts without its data and answers late. Debian's Redis runs the scripts. */
export class SimulatedRedis {
  readonly members = new Set<Connection>();
  private state: 'up' | 'hung' | 'down' = 'up';
  private waiting: (() => Promise<void>)[] = [];

  constructor(
    readonly world: World,
    private readonly client: Client,
  ) {}

  get isUp(): boolean {
    return this.state === 'up';
  }

  hang(): void {
    if (this.isUp) this.state = 'hung';
  }

  /** Ends a hang. Redis then runs the commands in its buffers, of one connection after another. */
  async resume(): Promise<void> {
    if (this.state !== 'hung') return;
    this.state = 'up';
    for (const command of this.waiting.splice(0)) await command();
  }

  async stop(): Promise<void> {
    this.state = 'down';
    this.waiting = [];
    await this.forget();
    for (const member of this.members) this.world.at(this.world.now + 5, member.loop, () => member.lose());
  }

  start(): void {
    if (this.state === 'down') this.state = 'up';
  }

  /** Deletes all keys. */
  async forget(): Promise<void> {
    await this.client.flushall();
  }

  /** Receives a command. `answer` gets the reply. */
  async receive(
    script: Script,
    keys: readonly string[],
    args: readonly Argument[],
    answer: (reply: unknown) => void,
  ): Promise<void> {
    const execute = async () => answer(await this.execute(script, keys, args));
    if (this.state === 'hung') this.waiting.push(execute);
    else if (this.state === 'up') await execute();
  }

  private async execute({ lua }: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    const replies = await this.client
      .multi()
      .set('clock', EPOCH + Math.floor(this.world.now))
      .eval(PROLOGUE + lua, keys.length, ...keys, ...args)
      .lrange('published', 0, -1)
      .del('published')
      .exec();
    const [, evaluated, published] = replies ?? [];
    if (evaluated?.[0]) throw evaluated[0];
    const messages: unknown = published?.[1];
    if (Array.isArray(messages)) for (const message of messages) this.publish(String(message));
    return evaluated?.[1];
  }

  private publish(message: string): void {
    const { world } = this;
    for (const member of this.members)
      if (world.random() > 0.05)
        world.at(world.now + world.between(0.1, 200), member.loop, () => member.hear(message));
  }
}

/** Milliseconds until a command is late. */
const COMMAND_MS = 200;
const MAX_PROBE_MS = 8000;
const PROBE: Script = { lua: 'return 1', sha: '' };
const failed = () => new SpeechError('no-connection', 'Redis fails');

/** The connection of a member: apart after the first late reply, and joined after a probe in time, as `RedisConnection`. */
export class Connection implements Redis {
  isJoined = false;
  readonly reason = undefined;
  readonly prefix = 'herald';
  private readonly changed = new Set<() => void>();
  private readonly listeners = new Set<(message: string) => void>();
  private readonly pending = new Set<(error: unknown) => void>();
  private arrivesAt = 0;
  private answersAt = 0;
  private epoch = 0;

  constructor(
    private readonly redis: SimulatedRedis,
    readonly loop: Loop,
  ) {
    redis.members.add(this);
  }

  key = (name: string): string => `herald:${name}`;
  runBinary = (): never => assertUnused();
  client = (): never => assertUnused();

  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.isJoined ? this.send(script, keys, args) : Promise.reject(failed());
  }

  subscribe(_channel: string, listener: (message: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onChange(listener: () => void): () => void {
    this.changed.add(listener);
    return () => this.changed.delete(listener);
  }

  hear(message: string): void {
    for (const listener of this.listeners) listener(message);
  }

  /** The connection is lost. */
  lose(): void {
    this.epoch += 1;
    this.fail();
  }

  probe(): void {
    this.send(PROBE, [], []).then(
      () => {
        this.isJoined = true;
        for (const listener of this.changed) listener();
      },
      () => this.probeLater(),
    );
  }

  private probeLater(): void {
    const { world } = this.redis;
    world.at(world.now + world.between(300, MAX_PROBE_MS), this.loop, () => !this.isJoined && this.probe());
  }

  private fail(): void {
    for (const reject of this.pending) reject(failed());
    if (!this.isJoined) return;
    this.isJoined = false;
    this.probeLater();
    for (const listener of this.changed) listener();
  }

  private send(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    const { world } = this.redis;
    const { epoch } = this;
    return new Promise((resolve, reject) => {
      const end = (error: unknown) => {
        this.pending.delete(end);
        reject(error);
      };
      this.pending.add(end);
      const answer = (reply: unknown) => {
        this.answersAt = Math.max(this.answersAt, world.now + this.delay());
        world.at(this.answersAt, this.loop, () => {
          if (epoch !== this.epoch || !this.pending.delete(end)) return;
          resolve(reply);
        });
      };
      this.arrivesAt = Math.max(this.arrivesAt, world.now + this.delay());
      world.at(this.arrivesAt, undefined, () =>
        epoch === this.epoch ? this.redis.receive(script, keys, args, answer) : undefined,
      );
      // Replies that have arrived meanwhile are in time, as in fleet/redis/deadline.ts.
      const check = () => this.pending.has(end) && (end(failed()), this.fail());
      world.at(world.now + COMMAND_MS, this.loop, () => world.at(world.now + 0.01, this.loop, check));
    });
  }

  private delay(): number {
    const { world } = this.redis;
    return world.random() < 0.01 ? world.between(1, 250) : world.between(0.1, 5);
  }
}

function assertUnused(): never {
  throw new Error('the limits do not use this');
}
