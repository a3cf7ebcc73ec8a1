import { setTimeout as sleep } from 'node:timers/promises';
import { LineSocket } from '../base/line-socket.js';
import { socketOf } from '../base/socket-address.js';
import { SpeakerFault, unreachable } from '../fault.js';
import type { Place } from '../kind.js';

const PORT = 6600;
/** Milliseconds between two commands, because MPD 0.23 can miss one that comes at once after another. */
const GAP_MS = 10;
/** Maximum number of lines of a reply. */
const MAX_LINES = 1000;

/** The fields of a reply. A repeated field has its last value. */
type Fields = ReadonlyMap<string, string>;

/** A connection to MPD: one command after another (protocol: "Music Player Daemon", section "Protocol overview"). */
export class MpdConnection {
  /** The command whose reply is read. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly socket: LineSocket) {}

  /** Connects, and logs in if the place has a password. @throws SpeakerFault */
  static async open({ address, secret }: Place, signal: AbortSignal): Promise<MpdConnection> {
    const { host, port } = socketOf(address, PORT);
    const socket = await LineSocket.open(host, port, signal);
    try {
      if (!(await socket.line()).startsWith('OK MPD '))
        throw new SpeakerFault('speaker-unreachable', { problem: 'no MPD at this address' });
      const connection = new MpdConnection(socket);
      if (secret) await connection.run('password', secret);
      return connection;
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  /** Sends a command and returns the fields of its reply. @throws SpeakerFault `speaker-refused` with MPD's reason */
  run(command: string, ...values: readonly (string | number)[]): Promise<Fields> {
    const reply = this.last.then(() => this.exchange(command, values));
    this.last = reply.then(
      () => sleep(GAP_MS),
      () => sleep(GAP_MS),
    );
    return reply;
  }

  close(): void {
    this.socket.close();
  }

  private async exchange(command: string, values: readonly (string | number)[]): Promise<Fields> {
    this.socket.send([command, ...values.map(quoted)].join(' '));
    const fields = new Map<string, string>();
    for (let lines = 0; lines < MAX_LINES; lines += 1) {
      const line = await this.socket.line();
      if (line === 'OK') return fields;
      if (line.startsWith('ACK ')) throw new SpeakerFault('speaker-refused', { problem: reasonIn(line) });
      const [, name, value] = /^([^:]+): (.*)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) fields.set(name, value);
    }
    // The next command would get the rest of this reply.
    this.close();
    throw unreachable(new Error('the reply is too large'));
  }
}

/** Returns a value in quotation marks. A line end would start another command. */
const quoted = (value: string | number): string =>
  `"${String(value)
    .replaceAll(/[\r\n]/g, ' ')
    .replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** Returns the text of an error such as `ACK [50@0] {playid} No such song`. */
const reasonIn = (line: string): string => line.replace(/^ACK \[\d+@\d+\] \{\w*\} /, '');
