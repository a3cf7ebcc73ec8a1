import { once } from 'node:events';
import net from 'node:net';
import { type LogEntry } from '../../../service/kit/log.js';
import { noMetrics } from '../../../service/metrics/metrics.js';
import type { ConnectionTimeouts } from '../../../service/wyoming/connection.js';
import { encodeEvent, EventReader, type WyomingEvent } from '../../../client/wyoming/index.js';
import type { WyomingDependencies } from '../../../service/wyoming/options.js';
import { serveWyoming } from '../../../service/wyoming/serve-wyoming.js';
import { openSpeechPath } from '../speech/support.js';

/** A client that reads the events of the service in their order. */
export class WyomingClient {
  readonly socket: net.Socket;
  readonly #events: AsyncGenerator<WyomingEvent>;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = net.connect(Number(port), hostname);
    this.#events = eventsOf(this.socket);
  }

  send(...events: ReadonlyArray<Omit<WyomingEvent, 'data'> & Partial<WyomingEvent>>): this {
    for (const event of events) this.socket.write(encodeEvent({ data: {}, ...event }));
    return this;
  }

  /** Resolves with the next event, or with undefined at the end of the connection. */
  async next(): Promise<WyomingEvent | undefined> {
    return (await this.#events.next()).value;
  }

  /** Resolves with the events up to the first one of a type, or to the end of the connection. */
  async until(type: string): Promise<WyomingEvent[]> {
    const events: WyomingEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      events.push(event);
      if (event.type === type) break;
    }
    return events;
  }

  /** Closes the sending side, and resolves with all events that follow, except the probes of the service. */
  async rest(): Promise<WyomingEvent[]> {
    this.socket.end();
    return (await this.until('')).filter(({ type }) => type !== 'pong');
  }

  close(): void {
    this.socket.destroy();
  }
}

async function* eventsOf(socket: net.Socket): AsyncGenerator<WyomingEvent> {
  const reader = new EventReader({ keepsPayload: true });
  for await (const bytes of socket) yield* reader.read(bytes);
}

/** The types of events. Equal types in a row count once. */
export function typesOf(events: readonly WyomingEvent[]): string[] {
  return events.map(({ type }) => type).filter((type, place, all) => type !== all[place - 1]);
}

export function samplesOf(events: readonly WyomingEvent[]): Buffer {
  return Buffer.concat(events.flatMap(({ payload }) => (payload === undefined ? [] : [payload])));
}

export interface WyomingTestOptions {
  timeouts?: Partial<ConnectionTimeouts>;
  grace?: number;
  dependencies?: Partial<WyomingDependencies>;
}

/** Starts a server with one worker and a queue of one job. */
export async function startWyomingServer({
  timeouts = {},
  grace = 1000,
  dependencies = {},
}: WyomingTestOptions = {}) {
  const path = await openSpeechPath();
  const log: LogEntry[] = [];
  const server = await serveWyoming(
    { host: '127.0.0.1', port: 0, timeouts, grace },
    {
      ...path.dependencies,
      metrics: noMetrics,
      callerOf: () => path.call().caller,
      account: path.account.id,
      log: (entry) => log.push(entry),
      ...dependencies,
    },
  );
  const clients: WyomingClient[] = [];
  return {
    path,
    log,
    url: server.url,
    stop: server.close,
    connect() {
      const client = new WyomingClient(server.url);
      clients.push(client);
      return client;
    },
    /** Speaks a text on a new connection. */
    async speak(text: string, voice?: object): Promise<WyomingEvent[]> {
      const client = this.connect();
      const events = await client
        .send({ type: 'synthesize', data: { text, ...(voice && { voice }) } })
        .rest();
      client.close();
      return events;
    },
    async close() {
      for (const client of clients) client.close();
      await server.close();
      await path.close();
    },
  };
}

export type WyomingTestServer = Awaited<ReturnType<typeof startWyomingServer>>;

/** Resolves when the connection of a client has ended. */
export async function ended({ socket }: WyomingClient): Promise<void> {
  if (!socket.closed) await once(socket, 'close');
}
