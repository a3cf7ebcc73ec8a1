import assert from 'node:assert/strict';
import type { Redis as Client } from 'ioredis';
import { SpeechError } from '../../../client/base/errors.js';
import type { Text } from '../../../client/base/messages.js';
import { fleetText } from '../../../fleet/redis/messages.js';
import type { Argument, Redis, Script } from '../../../fleet/redis/redis.js';
import type { Loop, World } from './simulated-time.js';

/**
 * Returns a script with the clock of the simulation, its last argument. No key expires. The reply has the published messages
 * before the reply of the script.
 */
const simulated = (lua: string): string => `
local server = redis
local clock = tonumber(table.remove(ARGV))
local published = {}
local redis = {
  call = function(name, ...)
    if name == 'PEXPIRE' then return 1 end
    if name == 'PUBLISH' then
      published[#published + 1] = select(2, ...)
      return #published
    end
    if name ~= 'TIME' then return server.call(name, ...) end
    return { math.floor(clock / 1000), clock % 1000 * 1000 }
  end,
}
local function run()
${lua}
end
return { published, run() }
`;
const EPOCH = 1_000_000_000;

/** A Redis that hangs, restarts without its data and answers late. Debian's Redis runs the scripts. */
export class SimulatedRedis {
  readonly members = new Set<Connection>();
  private state: 'up' | 'hung' | 'down' = 'up';
  private waiting: (() => Promise<void>)[] = [];
  /** Milliseconds by which the clock is behind the one of the start. */
  private behind = 0;
  private readonly shas = new Map<string, string>();

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

  /** Sets the clock back by some milliseconds. */
  setBack(milliseconds: number): void {
    this.behind += milliseconds;
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

  private async execute(
    { lua }: Script,
    keys: readonly string[],
    args: readonly Argument[],
  ): Promise<unknown> {
    const clock = EPOCH + Math.floor(this.world.now - this.behind);
    const sha = await this.shaOf(lua);
    const reply: unknown = await this.client.evalsha(sha, keys.length, ...keys, ...args, clock);
    assert(Array.isArray(reply));
    const [published, result]: unknown[] = reply;
    assert(Array.isArray(published));
    for (const message of published) this.publish(String(message));
    return result;
  }

  /** Returns the hash of a simulated script that the server has. */
  private async shaOf(lua: string): Promise<string> {
    const known = this.shas.get(lua);
    if (known !== undefined) return known;
    const sha = String(await this.client.script('LOAD', simulated(lua)));
    this.shas.set(lua, sha);
    return sha;
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
  reason: Text | undefined = fleetText('redis-connecting');
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
        this.reason = undefined;
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
