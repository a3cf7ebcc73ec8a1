import { connect, type TLSSocket } from 'node:tls';
import { fieldOf, textOf } from '../base/values.js';
import { unreachable } from '../fault.js';
import { Frames, framed } from './frame.js';

const SENDER = 'sender-0';
export const RECEIVER = 'receiver-0';
const NAMESPACE = 'urn:x-cast:com.google.cast.';
/** Milliseconds between two pings, and from the last message of a device to the end of its connection. */
const [PING_MS, DEAD_MS] = [1000, 3000];
/** Maximum number of messages of a device between two pings. A receiver sends some in a second. */
const MAX_MESSAGES = 500;
/** Maximum number of bytes that a device has not read. */
const MAX_UNREAD = 65_536;

/** The protocol of a message. */
export type Topic = 'tp.connection' | 'tp.heartbeat' | 'receiver' | 'media';

/** A message of the device. */
export interface ReceivedMessage {
  source: string;
  topic: string;
  type: string;
  payload: unknown;
}

/**
 * A connection to a Cast device (CASTV2). Its certificate is not checked, because a device signs its own one. The connection ends
 * if the device does not answer pings, exceeds a limit, or sends an invalid message.
 */
export class CastChannel {
  private id = 0;
  private failure: Error | undefined;
  private heard = performance.now();
  private pinged = performance.now();
  private messages = 0;
  private readonly frames = new Frames();
  private readonly replies = new Map<number, PromiseWithReject>();
  private readonly pings: ReturnType<typeof setInterval>;

  private constructor(
    private readonly socket: TLSSocket,
    private readonly onMessage: (message: ReceivedMessage) => void,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (data: Buffer) => this.add(data));
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end(new Error('the connection closed')));
    this.pings = setInterval(() => this.ping(), PING_MS);
    this.join(RECEIVER);
  }

  /** Connects. @throws SpeakerFault `speaker-unreachable`; the reason of the signal */
  static open(
    host: string,
    port: number,
    onMessage: (message: ReceivedMessage) => void,
    signal: AbortSignal,
  ): Promise<CastChannel> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, rejectUnauthorized: false });
      const stop = () => {
        socket.destroy();
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      const settle = () => signal.removeEventListener('abort', stop);
      socket.once('error', (error) => {
        settle();
        reject(unreachable(error));
      });
      socket.once('secureConnect', () => {
        settle();
        resolve(new CastChannel(socket, onMessage));
      });
    });
  }

  /** Opens a virtual connection to the device or to a program on it. */
  join(destination: string): void {
    this.send('tp.connection', destination, { type: 'CONNECT' });
  }

  /** Sends a command, and returns its id. @throws SpeakerFault `speaker-unreachable` if the connection has ended */
  send(topic: Topic, destination: string, payload: object): number {
    this.check();
    const requestId = (this.id += 1);
    const text = JSON.stringify({ ...payload, requestId });
    this.socket.write(framed({ source: SENDER, destination, namespace: `${NAMESPACE}${topic}`, text }));
    return requestId;
  }

  /** Sends a command, and waits for its reply. @throws SpeakerFault `speaker-unreachable` if the connection ends */
  ask(topic: Topic, destination: string, payload: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.replies.set(this.send(topic, destination, payload), { resolve, reject });
    });
  }

  /** @throws SpeakerFault `speaker-unreachable` if the connection has ended */
  check(): void {
    if (this.failure !== undefined) throw unreachable(this.failure);
  }

  close(): void {
    this.end(new Error('closed'));
  }

  private add(data: Buffer): void {
    this.heard = performance.now();
    try {
      for (const { source, namespace, text } of this.frames.add(data)) {
        if ((this.messages += 1) > MAX_MESSAGES) throw new Error('too many messages');
        if (namespace.startsWith(NAMESPACE)) this.take(source, namespace.slice(NAMESPACE.length), text);
      }
    } catch (error) {
      this.end(new Error(`no Cast device: ${error instanceof Error ? error.message : String(error)}`));
    }
  }

  private take(source: string, topic: string, text: string): void {
    const payload: unknown = text === '' ? undefined : JSON.parse(text);
    const [type, id] = [textOf(fieldOf(payload, 'type')), fieldOf(payload, 'requestId')];
    if (topic === 'tp.heartbeat' && type === 'PING') this.send('tp.heartbeat', source, { type: 'PONG' });
    this.onMessage({ source, topic, type, payload });
    if (typeof id !== 'number') return;
    this.replies.get(id)?.resolve();
    this.replies.delete(id);
  }

  private ping(): void {
    this.messages = 0;
    const now = performance.now();
    // A computer that stood still has not read the answers yet.
    const wasStill = now - this.pinged > 2 * PING_MS;
    this.pinged = now;
    const isDead = (!wasStill && now - this.heard > DEAD_MS) || this.socket.writableLength > MAX_UNREAD;
    if (isDead) this.end(new Error('no answer to a ping'));
    else this.send('tp.heartbeat', RECEIVER, { type: 'PING' });
  }

  private end(error: Error): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    clearInterval(this.pings);
    this.socket.destroy();
    for (const { reject } of this.replies.values()) reject(unreachable(error));
    this.replies.clear();
  }
}

interface PromiseWithReject {
  resolve(): void;
  reject(error: Error): void;
}
