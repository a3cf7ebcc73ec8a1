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
export function exchange<Result>(
  server: Server,
  request: WyomingEvent,
  limits: ReplyLimits,
  stop: Stop,
  onEvent: OnEvent<Result>,
): Promise<Result> {
  if (stop.reason !== undefined) return Promise.reject(stop.reason);
  const socket = opened(server);
  return new Promise<Result>((resolve, reject) => {
    const reader = new ReplyReader(limits);
    let part: Part = 'connectTimeout';
    let timer: NodeJS.Timeout | undefined;
    const enter = (next: Part) => {
      part = next;
      clearTimeout(timer);
      timer = setTimeout(() => reject(late[part]()), server.settings[part]);
    };
    const read = (bytes: Buffer) => {
      if (part === 'firstByteTimeout') enter('idleTimeout');
      timer?.refresh();
      for (const event of reader.read(bytes)) {
        const result = onEvent(event);
        if (result !== undefined) return resolve(result);
      }
    };
    enter('connectTimeout');
    stop.onStop = reject;
    socket.once('connect', () => {
      enter('firstByteTimeout');
      socket.write(encodeEvent(request));
    });
    socket.on('data', (bytes) => attempt(() => read(bytes), reject));
    socket.once('error', (error) =>
      reject(part === 'connectTimeout' ? connectFailure(error) : transportFailure(error)),
    );
    socket.once('close', () => {
      clearTimeout(timer);
      reject(new SpeechError('no-reply', text('connection-closed')));
    });
  }).finally(() => {
    stop.onStop = undefined;
    socket.destroy();
  });
}

function opened({ place, sockets }: Server): Socket {
  const socket = connect({ ...place, noDelay: true });
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

function attempt(work: () => void, failed: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    failed(error);
  }
}
