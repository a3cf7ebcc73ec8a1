import type { Client } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import type { AccountDefaults } from '../account/account-node.js';

/** Values of an account as they are in its dialog. */
export type TypedAccount = Readonly<Record<string, string>>;

/** A way to a service that was opened for the editor, and has to be closed. */
export interface OpenedWay {
  defaults: AccountDefaults;
  connect(signal: AbortSignal): Promise<Client>;
  close(): Promise<void>;
}

/** How to open the way of an account that is not deployed. */
export interface AccountOpener {
  open(typed: TypedAccount): Omit<OpenedWay, 'defaults'>;
  defaultsOf(typed: TypedAccount): AccountDefaults;
}

const waysDefaults = {
  /** Milliseconds that a way stays open unused: the next letter in a search should not start the service again. */
  idle: 30_000,
  /** Milliseconds after the flows were stopped: deployed accounts have joined the local service then, or nobody will. */
  stopped: 1000,
  /** Ways that are open at a time; the one that was used longest ago goes first. */
  max: 4,
};

interface Held {
  way: OpenedWay;
  timer: NodeJS.Timeout | undefined;
}

/** The ways that are open for the editor, by what was typed. */
export class Ways {
  private readonly held = new Map<string, Held>();

  private readonly closeSoon = () => {
    for (const [name, held] of this.held) this.closeIn(this.options.stopped, name, held);
  };

  constructor(
    private readonly RED: { events: Pick<NodeAPI['events'], 'on' | 'off'> },
    private readonly opener: AccountOpener,
    private readonly options = waysDefaults,
  ) {}

  defaultsOf(typed: TypedAccount): AccountDefaults {
    return this.opener.defaultsOf(typed);
  }

  /** The way for these values; it is closed a while after it was last asked for. */
  open(typed: TypedAccount): OpenedWay {
    const name = JSON.stringify(typed);
    if (this.held.size === 0) this.RED.events.on('flows:stopped', this.closeSoon);
    const held = this.held.get(name) ?? { way: this.make(typed), timer: undefined };
    this.held.delete(name);
    this.held.set(name, held); // the last in the map is the last in use
    this.closeIn(this.options.idle, name, held);
    const [oldest] = this.held;
    if (this.held.size > this.options.max && oldest !== undefined) this.close(...oldest);
    return held.way;
  }

  private make(typed: TypedAccount): OpenedWay {
    return { defaults: this.opener.defaultsOf(typed), ...this.opener.open(typed) };
  }

  private closeIn(ms: number, name: string, held: Held): void {
    clearTimeout(held.timer);
    held.timer = setTimeout(() => this.close(name, held), ms).unref();
  }

  private close(name: string, { way, timer }: Held): void {
    clearTimeout(timer);
    this.held.delete(name);
    if (this.held.size === 0) this.RED.events.off('flows:stopped', this.closeSoon);
    way.close().catch(() => undefined); // it was only ours: nobody waits for it
  }
}
