import { connect, type Socket } from 'node:net';
import type { Stop } from '../../base/abort.js';
import { SpeechError } from '../../base/errors.js';
import { text } from '../../base/messages.js';
import { connectFailure, transportFailure } from '../../http/transport-failure.js';
import type { TransportOptions } from '../../http/transport-options.js';
import { encodeEvent, type WyomingEvent } from '../../wyoming/index.js';
import type { TcpPlace } from './address.js';
import { ReplyReader, type ReplyLimits } from './reply-reader.js';

/** Handles an event of a reply. Returns the result at the last event, undefined before. @throws SpeechError */
export type OnEvent<Result> = (event: WyomingEvent) => Result | undefined;

/** A server, the time limits of its replies in milliseconds, and the open connections to it. */
export interface Server {
  place: TcpPlace;
  settings: Pick<TransportOptions, 'connectTimeout' | 'firstByteTimeout' | 'idleTimeout'>;
  sockets: Set<Socket>;
}

/** The parts of an exchange, each with its time limit. */
type Part = 'connectTimeout' | 'firstByteTimeout' | 'idleTimeout';

const late: Readonly<Record<Part, () => SpeechError>> = {
  connectTimeout: () => new SpeechError('no-connection', text('connect-timeout')),
  firstByteTimeout: () => new SpeechError('timed-out', text('reply-timeout')),
  idleTimeout: () => new SpeechError('timed-out', text('reply-stalled')),
};

/**
 * Sends an event on a new connection, and resolves with the result of its reply. Settles once, and closes the connection.
 * @throws SpeechError `no-connection`, `timed-out`, `no-reply` if the connection ends too early, `bad-reply`, the reason of the
 *   stop, or the failure of `onEvent`
 */
export async function wyomingExchange<Result>(
  server: Server,
  request: WyomingEvent,
  limits: ReplyLimits,
  stop: Stop,
  onEvent: OnEvent<Result>,
): Promise<Result> {
  if (stop.reason !== undefined) throw stop.reason;
  const socket = opened(server);
  try {
    return await new Promise<Result>((resolve, reject) => {
      stop.onStop = reject;
      const patience = new Patience(server.settings, reject);
      const reader = new ReplyReader(limits);
      socket.once('connect', () => {
        patience.enter('firstByteTimeout');
        socket.write(encodeEvent(request));
      });
      socket.on('data', (bytes) => {
        patience.received();
        try {
          const result = resultIn(reader.read(bytes), onEvent);
          if (result !== undefined) resolve(result);
        } catch (error) {
          reject(error);
        }
      });
      socket.once('error', (error) => reject(patience.failureOf(error)));
      socket.once('close', () => {
        patience.end();
        reject(new SpeechError('no-reply', text('connection-closed')));
      });
    });
  } finally {
    stop.onStop = undefined;
    socket.destroy();
  }
}

function resultIn<Result>(events: Iterable<WyomingEvent>, onEvent: OnEvent<Result>): Result | undefined {
  for (const event of events) {
    const result = onEvent(event);
    if (result !== undefined) return result;
  }
  return undefined;
}

function opened({ place, sockets }: Server): Socket {
  const socket = connect({ ...place, noDelay: true });
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

/** The time limits of an exchange: one of them runs at a time. */
class Patience {
  #part: Part = 'connectTimeout';
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: Server['settings'],
    private readonly failed: (error: SpeechError) => void,
  ) {
    this.enter(this.#part);
  }

  enter(part: Part): void {
    this.end();
    this.#part = part;
    this.#timer = setTimeout(() => this.failed(late[part]()), this.limits[part]);
  }

  received(): void {
    if (this.#part === 'idleTimeout') this.#timer?.refresh();
    else this.enter('idleTimeout');
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  failureOf(error: Error): SpeechError {
    return this.#part === 'connectTimeout' ? connectFailure(error) : transportFailure(error);
  }
}
