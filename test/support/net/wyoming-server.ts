import { createServer, type Socket } from 'node:net';
import { encodeEvent, EventReader, type WyomingEvent } from '../../../client/wyoming/index.js';
import { close, listen } from './fault-server.js';

/** Answers an event of a client. */
export type WyomingScript = (
  event: WyomingEvent,
  socket: Socket,
  /** Number of earlier events of the type. */
  index: number,
) => void | Promise<void>;

/** A scripted Wyoming server. */
export interface ScriptedWyoming {
  /** `tcp://127.0.0.1:PORT`. */
  url: string;
  port: number;
  /** The received events in their order. */
  events: WyomingEvent[];
  /** The open connections. */
  sockets: Set<Socket>;
  /** Number of received connections. */
  connections(): number;
}

export interface TestVoice {
  name: string;
  languages?: string[];
  description?: string;
  installed?: boolean;
  attribution?: { name: string; url: string };
  speakers?: { name: string }[] | null;
  /** Not in the protocol: a field of Herald's local service, or of a faulty server. */
  title?: unknown;
  gender?: unknown;
}

/** Returns a description with some voices, in the form of wyoming-piper. */
export const infoOf = (...voices: TestVoice[]): WyomingEvent => ({
  type: 'info',
  data: { asr: [], tts: [{ name: 'test', installed: true, voices }] },
});

/** Returns the events of audio in chunks of 1000 samples. */
export function audioEvents(
  samples: Buffer,
  { rate = 22_050, width = 2, channels = 1 } = {},
): WyomingEvent[] {
  const data = { rate, width, channels };
  const size = 1000 * width * channels;
  const chunks = Array.from({ length: Math.ceil(samples.length / size) }, (_, place) => ({
    type: 'audio-chunk',
    data: { ...data, timestamp: null },
    payload: samples.subarray(place * size, (place + 1) * size),
  }));
  return [{ type: 'audio-start', data }, ...chunks, { type: 'audio-stop', data: {} }];
}

/** Sends events. */
export const send = (socket: Socket, ...events: readonly WyomingEvent[]): void => {
  socket.write(Buffer.concat(events.map(encodeEvent)));
};

/** Answers `describe` with a voice, and each text with a tenth of a second of audio. */
export const speaks: WyomingScript = ({ type }, socket) => {
  if (type === 'describe') send(socket, infoOf({ name: 'v1', languages: ['en_US'] }));
  if (type === 'synthesize') send(socket, ...audioEvents(Buffer.alloc(4410, 1)));
};

/** Answers `describe` as usual, and each text with a script. */
export const speaking =
  (script: WyomingScript): WyomingScript =>
  (event, socket, index) =>
    event.type === 'synthesize' ? script(event, socket, index) : speaks(event, socket, index);

/** Runs `work` with a scripted server. */
export async function withWyoming<Result>(
  script: WyomingScript,
  work: (server: ScriptedWyoming) => Promise<Result>,
): Promise<Result> {
  const events: WyomingEvent[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    const reader = new EventReader({ keepsPayload: true });
    socket.on('data', (bytes) => {
      for (const event of reader.read(bytes)) {
        const index = events.filter(({ type }) => type === event.type).length;
        events.push(event);
        void script(event, socket, index);
      }
    });
  });
  const port = await listen(listener);
  try {
    return await work({
      url: `tcp://127.0.0.1:${port}`,
      port,
      events,
      sockets,
      connections: () => connections,
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    await close(listener);
  }
}
