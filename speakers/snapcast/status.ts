/** The state of a Snapcast server, as far as announcements need it. */
import { fieldOf, listOf, nameIn, numberOf, textOf } from '../base/values.js';

/** The sample rates (hertz) and the numbers of channels for which samples are made: a server cannot demand any amount of memory. */
const [RATES, CHANNELS] = [[8000, 192_000] as const, [1, 8] as const];

/** A player in a room. */
interface Client {
  id: string;
  name: string;
  isConnected: boolean;
  /** Percent. */
  volume: number;
  isMuted: boolean;
}

/** Players that play the same stream. */
export interface Group {
  id: string;
  name: string;
  stream: string;
  isMuted: boolean;
  clients: Client[];
}

/** A source of audio that programs feed over TCP. */
export interface TcpStream {
  id: string;
  port: number;
  sampleRate: number;
  channels: number;
  isIdle: boolean;
}

/** Reads the reply to `Server.GetStatus`. */
export function statusIn(reply: unknown): { groups: Group[]; streams: TcpStream[] } {
  const server = fieldOf(reply, 'server');
  return {
    groups: listOf(fieldOf(server, 'groups')).map(groupIn),
    streams: listOf(fieldOf(server, 'streams')).flatMap(streamIn),
  };
}

function groupIn(value: unknown): Group {
  const clients = listOf(fieldOf(value, 'clients')).map(clientIn);
  return {
    id: textOf(fieldOf(value, 'id')),
    name: nameIn(textOf(fieldOf(value, 'name')) || clients.map(({ name }) => name).join(', ')),
    stream: textOf(fieldOf(value, 'stream_id')),
    isMuted: fieldOf(value, 'muted') === true,
    clients,
  };
}

function clientIn(value: unknown): Client {
  const config = fieldOf(value, 'config');
  const volume = fieldOf(config, 'volume');
  return {
    id: textOf(fieldOf(value, 'id')),
    name: textOf(fieldOf(config, 'name')) || textOf(fieldOf(fieldOf(value, 'host'), 'name')),
    isConnected: fieldOf(value, 'connected') === true,
    volume: numberOf(fieldOf(volume, 'percent')),
    isMuted: fieldOf(volume, 'muted') === true,
  };
}

const isWithin = (value: number | undefined, [low, high]: readonly [number, number]): value is number =>
  value !== undefined && value >= low && value <= high;

/** A stream has an address such as `tcp://0.0.0.0:4953/?name=Herald&sampleformat=48000:16:2`. */
function streamIn(value: unknown): TcpStream[] {
  const raw = textOf(fieldOf(fieldOf(value, 'uri'), 'raw'));
  if (!URL.canParse(raw)) return [];
  const { protocol, port, searchParams } = new URL(raw);
  const [rate, bits, channels] = (searchParams.get('sampleformat') ?? '48000:16:2').split(':').map(Number);
  const isServer = protocol === 'tcp:' && (searchParams.get('mode') ?? 'server') === 'server';
  if (!isServer || bits !== 16 || !isWithin(rate, RATES) || !isWithin(channels, CHANNELS)) return [];
  return [
    {
      id: textOf(fieldOf(value, 'id')),
      port: Number(port) || 4953,
      sampleRate: rate,
      channels,
      isIdle: fieldOf(value, 'status') !== 'playing',
    },
  ];
}
