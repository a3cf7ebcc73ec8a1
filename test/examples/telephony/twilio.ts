import assert from 'node:assert/strict';
import { once } from 'node:events';
import { z } from '@herald-speech/client';
import { type RawData, WebSocket } from 'ws';

const SID = (kind: string, number: number) => kind + number.toString(16).padStart(32, '0');

/** The media types that `<Play>` accepts, of those that Herald makes. */
const MEDIA_TYPES = ['audio/mpeg', 'audio/wav', 'audio/wave', 'audio/x-wav'];

/** Sends the request of an incoming call, and returns the body of the reply after checks. */
export async function callWebhook(url: string): Promise<string> {
  const body = new URLSearchParams({
    CallSid: SID('CA', 1),
    AccountSid: SID('AC', 1),
    From: '+15550100',
    To: '+15550101',
    CallStatus: 'ringing',
    ApiVersion: '2010-04-01',
    Direction: 'inbound',
  });
  const reply = await fetch(url, { method: 'POST', body, headers: { 'user-agent': 'TwilioProxy/1.1' } });
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get('content-type') ?? '', /^(?:text|application)\/xml\b/);
  return reply.text();
}

/** Downloads the audio of `<Play>`, and asks a second time as a cache does. Returns the audio. */
export async function fetchPlay(url: string): Promise<Buffer> {
  const reply = await fetch(url);
  assert.equal(reply.status, 200);
  assert.ok(MEDIA_TYPES.includes(reply.headers.get('content-type') ?? ''));
  assert.match(reply.headers.get('cache-control') ?? '', /\bmax-age=[1-9]\d*/);
  const audio = Buffer.from(await reply.arrayBuffer());
  assert.equal(Number(reply.headers.get('content-length')), audio.length);
  const again = await fetch(url, {
    // `fetch` adds no-cache to conditional requests without this header.
    headers: { 'if-none-match': reply.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
  });
  assert.equal(again.status, 304);
  await again.body?.cancel();
  return audio;
}

const media = z.strictObject({
  event: z.literal('media'),
  streamSid: z.string(),
  media: z.strictObject({ payload: z.base64() }),
});
const mark = z.strictObject({
  event: z.literal('mark'),
  streamSid: z.string(),
  mark: z.strictObject({ name: z.string() }),
});
const outgoing = z.union([media, mark]);

export interface HeardStream {
  /** Frames in order, raw mu-law. */
  frames: Buffer[];
  mark: string;
}

/** Opens a bidirectional media stream, and returns the audio up to the mark. Refuses messages that Twilio does not define. */
export async function openStream(url: string, number: number): Promise<HeardStream> {
  const streamSid = SID('MZ', number);
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ event: 'connected', protocol: 'Call', version: '1.0.0' });
  send({
    event: 'start',
    sequenceNumber: '1',
    start: {
      accountSid: SID('AC', 1),
      streamSid,
      callSid: SID('CA', number),
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      customParameters: {},
    },
    streamSid,
  });
  const silence = Buffer.alloc(160, 0xff).toString('base64');
  send({
    event: 'media',
    sequenceNumber: '2',
    media: { track: 'inbound', chunk: '1', timestamp: '20', payload: silence },
    streamSid,
  });
  try {
    const heard = await untilMark(socket, streamSid);
    send({ event: 'mark', sequenceNumber: '3', streamSid, mark: { name: heard.mark } });
    send({
      event: 'stop',
      sequenceNumber: '4',
      streamSid,
      stop: { accountSid: SID('AC', 1), callSid: SID('CA', number) },
    });
    return heard;
  } finally {
    socket.close();
    await once(socket, 'close');
  }
}

function untilMark(socket: WebSocket, streamSid: string): Promise<HeardStream> {
  const frames: Buffer[] = [];
  return new Promise((resolve, reject) => {
    socket.on('message', (data: RawData, isBinary: boolean) => {
      try {
        assert.ok(!isBinary && Buffer.isBuffer(data));
        const message = outgoing.parse(JSON.parse(data.toString('utf8')));
        assert.equal(message.streamSid, streamSid);
        if (message.event === 'mark') resolve({ frames, mark: message.mark.name });
        else frames.push(Buffer.from(message.media.payload, 'base64'));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}
