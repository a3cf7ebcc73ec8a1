import { connect, type Socket } from 'node:net';
import { unreachable } from '../fault.js';

/** Maximum length of a line in bytes. */
const MAX_LINE = 65_536;
/** Maximum number of lines that nobody has read. */
const MAX_LINES = 10_000;

/** A connection for protocols with lines of UTF-8 text. Its memory is bounded: a speaker that sends too much is disconnected. */
export class LineSocket {
  private readonly lines: string[] = [];
  private rest = Buffer.alloc(0);
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
      const settle = () => signal.removeEventListener('abort', stop);
      socket.once('error', (error) => {
        settle();
        reject(unreachable(error));
      });
      socket.once('connect', () => {
        settle();
        resolve(new LineSocket(socket));
      });
    });
  }

  send(line: string): void {
    this.socket.write(`${line}\n`);
  }

  /** Returns the next line without its end. @throws SpeakerFault `speaker-unreachable` if the connection ends before it */
  async line(): Promise<string> {
    for (;;) {
      const line = this.lines.shift();
      if (line !== undefined) return line;
      if (this.failure !== undefined) throw unreachable(this.failure);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private add(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data]);
    for (let end = this.rest.indexOf(10); end >= 0; end = this.rest.indexOf(10)) {
      this.lines.push(this.rest.toString('utf8', 0, end));
      this.rest = this.rest.subarray(end + 1);
    }
    if (this.rest.length > MAX_LINE || this.lines.length > MAX_LINES)
      this.end(new Error('the reply is too large'));
    this.wake();
  }

  private end(error: Error): void {
    this.failure ??= error;
    this.socket.destroy();
    this.wake();
  }
}
