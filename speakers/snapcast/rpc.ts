import { OneByOne } from '@herald-speech/client/abort';
import { LineSocket } from '../base/line-socket.js';
import { SpeakerFault } from '../fault.js';

/** The port of the control connection. */
export const CONTROL_PORT = 1705;

/** The control connection of a Snapcast server: JSON-RPC 2.0, a line for each message (Snapcast, "JSON-RPC API"). */
export class SnapcastControl {
  private id = 0;
  /** A question is sent after the reply to the last one. */
  private readonly questions = new OneByOne();

  private constructor(private readonly socket: LineSocket) {}

  /** @throws SpeakerFault `speaker-unreachable` */
  static async open(host: string, port: number, signal: AbortSignal): Promise<SnapcastControl> {
    return new SnapcastControl(await LineSocket.open(host, port, signal));
  }

  /** Asks, and returns the result. @throws SpeakerFault `speaker-refused` with the reason of the server */
  ask(method: string, params: object = {}): Promise<unknown> {
    return this.questions.run(() => this.exchange(method, params));
  }

  close(): void {
    this.socket.close();
  }

  private async exchange(method: string, params: object): Promise<unknown> {
    const id = (this.id += 1);
    this.socket.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\r`);
    for (;;) {
      const message: unknown = JSON.parse(await this.socket.line());
      // Notifications have no id.
      if (typeof message !== 'object' || message === null || !('id' in message) || message.id !== id)
        continue;
      if ('error' in message)
        throw new SpeakerFault('speaker-refused', { problem: JSON.stringify(message.error) });
      return 'result' in message ? message.result : undefined;
    }
  }
}
