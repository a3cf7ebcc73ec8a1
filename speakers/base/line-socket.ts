import { connect, type Socket } from 'node:net';
import { unreachable } from '../fault.js';
import { Bytes } from './bytes.js';

/** Maximum number of lines that nobody has read, and their characters. A large house of Snapcast has a line of some 100,000. */
const MAX = { lines: 10_000, size: 2_000_000 } as const;

/**
 * A connection for protocols with lines of UTF-8 text. Its memory is bounded: a speaker that sends too much is disconnected. It ends
 * when its signal aborts.
 */
export class LineSocket {
  private lines: string[] = [];
  /** Characters of the lines. */
  private waiting = 0;
  /** The beginning of the next line. */
  private readonly rest = new Bytes();
  private failure: Error | undefined;
  private wake = () => {};

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (data) => this.add(data));
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end(new Error('the connection closed')));
  }

  /** Connects. @throws SpeakerFault `speaker-unreachable`; the reason of the signal */
  static open(host: string, port: number, signal: AbortSignal): Promise<LineSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      const stop = () => {
        socket.destroy();
        reject(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      socket.once('close', () => signal.removeEventListener('abort', stop));
      socket.once('error', (error) => reject(unreachable(error)));
      socket.once('connect', () => resolve(new LineSocket(socket)));
    });
  }

  send(line: string): void {
    this.socket.write(`${line}\n`);
  }

  /** Returns the next line without its end. @throws SpeakerFault `speaker-unreachable` if the connection ends before it */
  async line(): Promise<string> {
    for (;;) {
      const line = this.lines.shift();
      if (line !== undefined) {
        this.waiting -= line.length;
        return line;
      }
      if (this.failure !== undefined) throw unreachable(this.failure);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private add(data: Buffer): void {
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      this.rest.add(data.subarray(start, end));
      const line = this.rest.take();
      this.waiting += line.length;
      this.lines.push(line);
      start = end + 1;
    }
    this.rest.add(data.subarray(start));
    if (this.lines.length > MAX.lines || this.waiting + this.rest.length > MAX.size) this.overflow();
    this.wake();
  }

  private overflow(): void {
    this.lines = [];
    this.end(new Error('the reply is too large'));
  }

  private end(error: Error): void {
    this.failure ??= error;
    this.socket.destroy();
    this.wake();
  }
}
