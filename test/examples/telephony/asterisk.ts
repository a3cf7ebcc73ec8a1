import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from '@herald-speech/client';
import { WebSocketServer } from 'ws';
import { close, listen } from '../../support/net/fault-server.js';

const USER = 'herald:secret';
const LOGIN = `Basic ${Buffer.from(USER).toString('base64')}`;
const APP = 'herald';

/** The formats that Asterisk knows by extension, of those that Herald makes. */
const EXTENSIONS = ['wav', 'sln', 'sln16', 'ulaw', 'alaw'];

const originate = z.strictObject({ endpoint: z.string().regex(/^PJSIP\/\w+$/), app: z.literal(APP) });
const play = z.strictObject({ media: z.string() });

/** An Asterisk with an application of the REST interface (ARI). It refuses everything that ARI does not define. */
export interface Asterisk {
  url: string;
  events: string;
  /** Requests with a status above 299, and failed downloads. */
  problems: string[];
  /** Audio that was played, in order. */
  played: { channel: string; audio: Buffer; type: string | null }[];
  /** Channels that were hung up. */
  ended: string[];
  /** A call arrives in the application. */
  call(channel: string): void;
  /** Resolves when the application has connected. */
  connected: Promise<void>;
  close(): Promise<void>;
}

/** Starts an Asterisk. @param fetchAudio downloads the audio of a URL */
export async function startAsterisk(fetchAudio: (url: string) => Promise<Response>): Promise<Asterisk> {
  const channels = new Set<string>();
  const state = { problems: new Array<string>(), played: new Array<Asterisk['played'][number]>() };
  const ended: string[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const emit = (event: object) => {
    const message = { application: APP, asterisk_id: '00:00:00:00:00:00', timestamp: timestamp(), ...event };
    for (const socket of sockets.clients) socket.send(JSON.stringify(message));
  };
  const call = (channel: string) => {
    channels.add(channel);
    emit({ type: 'StasisStart', args: [], channel: channelOf(channel) });
  };
  const playTo = async (channel: string, media: string): Promise<object> => {
    const url = /^sound:(?<url>https?:.+)$/.exec(media)?.groups?.['url'] ?? '';
    const extension = /\.(?<extension>\w+)$/.exec(new URL(url).pathname)?.groups?.['extension'] ?? '';
    assert.ok(EXTENSIONS.includes(extension), `unknown extension "${extension}"`);
    const playback = { id: randomUUID(), media_uri: media, target_uri: `channel:${channel}`, language: 'en' };
    void (async () => {
      const reply = await fetchAudio(url);
      assert.equal(reply.status, 200, url);
      const audio = Buffer.from(await reply.arrayBuffer());
      emit({ type: 'PlaybackStarted', playback: { ...playback, state: 'playing' } });
      state.played.push({ channel, audio, type: reply.headers.get('content-type') });
      emit({ type: 'PlaybackFinished', playback: { ...playback, state: 'done' } });
    })().catch((error: unknown) => state.problems.push(String(error)));
    return { ...playback, state: 'queued' };
  };
  const answer = async (request: IncomingMessage): Promise<[number, object | undefined]> => {
    const { pathname } = new URL(request.url ?? '', 'http://asterisk');
    if (request.headers.authorization !== LOGIN) return [401, { message: 'Authentication required' }];
    const route = `${request.method} ${pathname}`;
    if (route === 'POST /ari/channels') {
      const { endpoint } = originate.parse(await bodyOf(request));
      const channel = `${Date.now()}.${channels.size}`;
      setImmediate(() => call(channel));
      return [200, { ...channelOf(channel), name: `${endpoint}-00000000` }];
    }
    const [, channel = '', action] = /^\/ari\/channels\/([^/]+)(\/play)?$/.exec(pathname) ?? [];
    if (!channels.has(channel)) return [404, { message: 'Channel not found' }];
    if (request.method === 'POST' && action === '/play') {
      return [201, await playTo(channel, play.parse(await bodyOf(request)).media)];
    }
    if (request.method !== 'DELETE' || action !== undefined) return [404, { message: 'Resource not found' }];
    channels.delete(channel);
    ended.push(channel);
    return [204, undefined];
  };
  const server = createServer((request, response) => {
    void reply(request, response, answer, state.problems);
  });
  const connected = new Promise<void>((resolve) => sockets.once('connection', () => resolve()));
  acceptEvents(server, sockets, state.problems);
  const port = await listen(server);
  return {
    ...state,
    url: `http://127.0.0.1:${port}/ari`,
    events: `ws://127.0.0.1:${port}/ari/events?app=${APP}&api_key=${USER}`,
    ended,
    call,
    connected,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await close(server);
    },
  };
}

function acceptEvents(server: Server, sockets: WebSocketServer, problems: string[]): void {
  server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://asterisk');
    const isKnown = pathname === '/ari/events' && searchParams.get('app') === APP;
    if (isKnown && searchParams.get('api_key') === USER) {
      return sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened));
    }
    problems.push(`refused ${request.url}`);
    return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
  });
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: IncomingMessage) => Promise<[number, object | undefined]>,
  problems: string[],
): Promise<void> {
  const [status, body] = await answer(request).catch((error: unknown): [number, object] => [
    400,
    { message: String(error) },
  ]);
  if (status > 299) problems.push(`${request.method} ${request.url}: ${status} ${JSON.stringify(body)}`);
  response.writeHead(status, body && { 'content-type': 'application/json' });
  response.end(body && JSON.stringify(body));
}

/** ARI reads parameters from a body of this type only. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  assert.match(request.headers['content-type'] ?? '', /^application\/json/);
  return json(request);
}

const timestamp = () => new Date().toISOString().replace('Z', '+0000');

const channelOf = (id: string) => ({
  id,
  name: `PJSIP/100-${id}`,
  state: 'Up',
  protocol_id: 'call-1',
  caller: { name: '', number: '100' },
  connected: { name: '', number: '' },
  accountcode: '',
  dialplan: { context: 'default', exten: '200', priority: 2, app_name: 'Stasis', app_data: APP },
  creationtime: timestamp(),
  language: 'en',
});
