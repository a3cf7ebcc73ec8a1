import type { SpeechDefaults } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import type { Connection } from '../../account/connection.js';

/** The values of an account as typed in its dialog. */
export type TypedAccount = Readonly<Record<string, string>>;

/** A connection for the editor, with the defaults of the account. */
interface EditorConnection extends Connection {
  defaults: SpeechDefaults;
}

/** Opens connections for accounts that are not deployed yet. */
export interface AccountOpener {
  open(typed: TypedAccount): Connection;
  defaultsOf(typed: TypedAccount): SpeechDefaults;
}

const connectionsDefaults = {
  /**
   * Milliseconds that an unused connection stays open, so that typing in a search does not restart the service. Longer than a
   * request of the editor may take.
   */
  idle: 60_000,
  /** Milliseconds that connections stay open after the flows stop. Deployed accounts join the local service earlier. */
  stopped: 1000,
  /** Maximum number of open connections. The least recently used one is closed first. */
  max: 4,
};

interface Entry {
  connection: EditorConnection;
  timer: NodeJS.Timeout | undefined;
}

/** The open connections of the editor, by typed values. */
export class EditorConnections {
  private readonly entries = new Map<string, Entry>();

  private readonly closeSoon = () => {
    for (const [name, entry] of this.entries) this.closeIn(this.options.stopped, name, entry);
  };

  constructor(
    private readonly RED: { events: Pick<NodeAPI['events'], 'on' | 'off'> },
    private readonly opener: AccountOpener,
    private readonly options = connectionsDefaults,
  ) {}

  defaultsOf(typed: TypedAccount): SpeechDefaults {
    return this.opener.defaultsOf(typed);
  }

  /** Returns a connection for these values. It closes after a time without use. */
  open(typed: TypedAccount): EditorConnection {
    const name = JSON.stringify(typed);
    if (this.entries.size === 0) this.RED.events.on('flows:stopped', this.closeSoon);
    const entry = this.entries.get(name) ?? { connection: this.create(typed), timer: undefined };
    // Inserts the entry at the end: the map is ordered by last use.
    this.entries.delete(name);
    this.entries.set(name, entry);
    this.closeIn(this.options.idle, name, entry);
    const [oldest] = this.entries;
    if (this.entries.size > this.options.max && oldest !== undefined) this.close(...oldest);
    return entry.connection;
  }

  private create(typed: TypedAccount): EditorConnection {
    return { defaults: this.opener.defaultsOf(typed), ...this.opener.open(typed) };
  }

  private closeIn(ms: number, name: string, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = setTimeout(() => this.close(name, entry), ms).unref();
  }

  private close(name: string, { connection, timer }: Entry): void {
    clearTimeout(timer);
    this.entries.delete(name);
    if (this.entries.size === 0) this.RED.events.off('flows:stopped', this.closeSoon);
    // The editor has no use for an error while closing.
    connection.close().catch(() => undefined);
  }
}
