/** A Cast device that speaks CASTV2 strictly: it plays files of the network by the clock, and notes the mistakes of senders. */
import { createServer, type TLSSocket } from 'node:tls';
import { fieldOf, numberOf, textOf } from '../../../speakers/base/values.js';
import { Frames, framed } from '../../../speakers/cast/frame.js';
import { close, listen } from '../net/fault-server.js';
import { selfSigned } from '../net/proxy.js';
import { CastProgram } from './cast-program.js';

const NAMESPACE = 'urn:x-cast:com.google.cast.';
const RECEIVER = 'receiver-0';
const PLAYER = 'CC1AD845';
/** Milliseconds in which a program starts, and after which a sender that sends no ping is disconnected. */
const [START_MS, PATIENCE_MS] = [50, 10_000];

type Payload = Record<string, unknown>;

export interface CastDevice {
  address: string;
  /** The mistakes of senders. */
  mistakes: string[];
  /** Plays as another sender does. */
  program(): CastProgram;
  app(): string;
  volume: { level: number; muted: boolean; controlType: string };
  /** Sets the volume as another sender does. */
  setVolume(volume: { level?: number; muted?: boolean }): void;
  launch(app: string): void;
  /** Ends all connections, and refuses new ones. */
  kill(): Promise<void>;
  /** Keeps the connections, and does not answer any more: a power cut. */
  freeze(): void;
}

interface Sender {
  socket: TLSSocket;
  joined: Set<string>;
  /** The transports of ended programs: a message can have been on its way to them. */
  left: Set<string>;
  last: number;
}

/** Runs `work` with a device. */
export async function withCastDevice(work: (device: CastDevice) => Promise<void>): Promise<void> {
  const receiver = new Receiver();
  const server = createServer({ key: selfSigned, cert: selfSigned }, (socket) => receiver.connect(socket));
  const port = await listen(server, '127.0.0.1');
  const { mistakes, volume } = receiver;
  const end = async () => {
    receiver.end();
    if (server.listening) await close(server);
  };
  try {
    await work({
      address: `127.0.0.1:${port}`,
      mistakes,
      volume,
      program: () => receiver.program ?? new CastProgram('', () => undefined),
      app: () => receiver.app,
      setVolume: (change) => receiver.setVolume(change),
      launch: (app) => receiver.start(app),
      kill: end,
      freeze: () => receiver.freeze(),
    });
  } finally {
    await end();
  }
}

class Receiver {
  readonly mistakes: string[] = [];
  readonly volume = { level: 0.5, muted: false, controlType: 'attenuation' };
  app = '';
  program: CastProgram | undefined;
  private isFrozen = false;
  private sessions = 0;
  private readonly senders = new Set<Sender>();
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();

  connect(socket: TLSSocket): void {
    const sender: Sender = { socket, joined: new Set(), left: new Set(), last: performance.now() };
    const frames = new Frames();
    this.senders.add(sender);
    const timer = setInterval(() => {
      if (performance.now() - sender.last > PATIENCE_MS) socket.destroy();
    }, 1000);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        clearInterval(timer);
        this.senders.delete(sender);
      });
    socket.on('data', (data: Buffer) => {
      for (const { source, destination, namespace, text } of frames.add(data)) {
        if (!/^sender-\w+$/.test(source)) this.mistakes.push(`source ${source}`);
        if (!this.isFrozen)
          this.take(sender, destination, namespace.slice(NAMESPACE.length), JSON.parse(text));
      }
    });
  }

  setVolume(change: { level?: number; muted?: boolean }): void {
    Object.assign(this.volume, change);
    this.tellStatus(0);
  }

  /** Starts a program. The former one ends. */
  start(app: string, isPlayer = app === PLAYER): void {
    if (this.program !== undefined) {
      const { transport } = this.program;
      this.program.end();
      for (const sender of this.senders) {
        if (!sender.joined.delete(transport)) continue;
        sender.left.add(transport);
        this.send(sender, transport, 'tp.connection', { type: 'CLOSE' });
      }
    }
    this.sessions += 1;
    this.app = app;
    this.program =
      app === ''
        ? undefined
        : new CastProgram(`transport-${this.sessions}`, (payload) =>
            this.tell('media', payload, `transport-${this.sessions}`),
          );
    if (this.program !== undefined && !isPlayer) this.program.isForeign = true;
    this.tellStatus(0);
  }

  freeze(): void {
    this.isFrozen = true;
    this.program?.end();
  }

  end(): void {
    this.program?.end();
    for (const timer of this.timers) clearTimeout(timer);
    for (const { socket } of this.senders) socket.destroy();
  }

  private take(sender: Sender, destination: string, topic: string, payload: Payload): void {
    sender.last = performance.now();
    const id = numberOf(payload['requestId']);
    if (topic === 'tp.connection') {
      if (payload['type'] === 'CONNECT') sender.joined.add(destination);
    } else if (sender.left.has(destination)) {
      this.send(sender, destination, 'tp.connection', { type: 'CLOSE' });
    } else if (!sender.joined.has(destination)) {
      this.mistakes.push(`${topic} to ${destination} without CONNECT`);
    } else if (topic === 'tp.heartbeat') {
      if (payload['type'] === 'PING') this.send(sender, destination, topic, { type: 'PONG' });
    } else if (topic === 'receiver' && destination === RECEIVER) {
      this.command(sender, payload, id);
    } else if (topic === 'media' && destination === this.program?.transport) {
      this.program.take(payload, (reply) =>
        this.send(sender, destination, 'media', { ...reply, requestId: id }),
      );
    } else if (destination !== RECEIVER) {
      this.send(sender, destination, 'tp.connection', { type: 'CLOSE' });
    }
  }

  private command(sender: Sender, payload: Payload, id: number): void {
    const reply = (message: Payload) => this.send(sender, RECEIVER, 'receiver', message);
    switch (payload['type']) {
      case 'GET_STATUS':
        return reply(this.status(id));
      case 'LAUNCH':
        if (textOf(payload['appId']) !== PLAYER)
          return reply({ type: 'LAUNCH_ERROR', reason: 'NOT_FOUND', requestId: id });
        // Devices of today answer with another id, and send the state later.
        reply({ type: 'LAUNCH_STATUS', launchRequestId: id, status: 'USER_ALLOWED' });
        if (this.app !== PLAYER) this.later(() => this.start(PLAYER));
        return;
      case 'STOP':
        if (payload['sessionId'] !== `session-${this.sessions}`)
          return reply({ type: 'INVALID_REQUEST', reason: 'INVALID_SESSION_ID', requestId: id });
        return this.start('');
      case 'SET_VOLUME':
        return this.change(payload['volume'], id, reply);
      default:
        return void this.mistakes.push(`receiver ${String(payload['type'])}`);
    }
  }

  private change(volume: unknown, id: number, reply: (message: Payload) => void): void {
    const [level, muted] = [fieldOf(volume, 'level'), fieldOf(volume, 'muted')];
    const isLevel = typeof level === 'number' && level >= 0 && level <= 1;
    if (!isLevel && typeof muted !== 'boolean') {
      this.mistakes.push('volume');
      return reply({ type: 'INVALID_REQUEST', reason: 'INVALID_PARAMS', requestId: id });
    }
    // Devices keep the level as a number of 32 bits.
    if (isLevel) this.volume.level = Math.fround(level);
    if (typeof muted === 'boolean') this.volume.muted = muted;
    this.tellStatus(id);
  }

  private status(requestId: number): Payload {
    const { volume, app, program, sessions } = this;
    const applications =
      program === undefined
        ? []
        : [
            {
              appId: app,
              sessionId: `session-${sessions}`,
              transportId: program.transport,
              isIdleScreen: false,
            },
          ];
    return { type: 'RECEIVER_STATUS', requestId, status: { applications, volume } };
  }

  private tellStatus = (id: number) => this.tell('receiver', this.status(id), RECEIVER);

  /** Sends to all senders that are connected with the source. */
  private tell(topic: string, payload: Payload, source: string): void {
    for (const sender of this.senders)
      if (sender.joined.has(source)) this.send(sender, source, topic, payload, '*');
  }

  private send(
    { socket }: Sender,
    source: string,
    topic: string,
    payload: Payload,
    destination = 'sender-0',
  ): void {
    if (this.isFrozen || !socket.writable) return;
    socket.write(
      framed({ source, destination, namespace: `${NAMESPACE}${topic}`, text: JSON.stringify(payload) }),
    );
  }

  private later(work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, START_MS);
    this.timers.add(timer);
  }
}
