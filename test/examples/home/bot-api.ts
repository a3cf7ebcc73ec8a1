import http from 'node:http';
import { sniffAudio } from '@herald-speech/client';
import { close, listen } from '../../support/net/fault-server.js';

/** A voice message that the bot has sent. */
interface VoiceMessage {
  chat: string;
  voice: Uint8Array;
  duration: number;
  caption: string;
}

export interface BotApi {
  url: string;
  /** The accepted messages. */
  messages: VoiceMessage[];
}

export const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
export const CHAT = '-1001234';

/** Bytes of a file of a bot. */
const MAX_BYTES = 50_000_000;
/** Characters of a caption. */
const MAX_CAPTION = 1024;
/** The fields of `sendVoice` that a flow may send (https://core.telegram.org/bots/api#sendvoice). */
const FIELDS = new Set(['chat_id', 'voice', 'caption', 'parse_mode', 'duration', 'disable_notification']);

class Refusal extends Error {
  constructor(
    readonly code: number,
    description: string,
  ) {
    super(description);
  }
}

/** Runs `work` with a server that accepts only correct requests of the method `sendVoice` of Telegram's Bot API. */
export async function withBotApi<Result>(work: (api: BotApi) => Promise<Result>): Promise<Result> {
  const messages: VoiceMessage[] = [];
  const server = http.createServer((request, response) => {
    void answer(request).then(
      (message) => {
        messages.push(message);
        send(response, 200, { ok: true, result: { message_id: messages.length, voice: { file_id: 'f' } } });
      },
      (error: unknown) => {
        const code = error instanceof Refusal ? error.code : 500;
        send(response, code, { ok: false, error_code: code, description: String(error) });
      },
    );
  });
  const port = await listen(server);
  try {
    return await work({ url: `http://127.0.0.1:${port}`, messages });
  } finally {
    server.closeAllConnections();
    await close(server);
  }
}

function send(response: http.ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function answer(request: http.IncomingMessage): Promise<VoiceMessage> {
  if (request.url !== `/bot${TOKEN}/sendVoice`) throw new Refusal(404, 'Not Found');
  if (request.method !== 'POST') throw new Refusal(405, 'Method Not Allowed');
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data; ?boundary=/.test(type)) throw new Refusal(400, `Bad Request: type ${type}`);
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part as Uint8Array));
  const body = Buffer.concat(parts);
  if (body.length > MAX_BYTES) throw new Refusal(413, 'Request Entity Too Large');
  return messageOf(await new Response(body, { headers: { 'content-type': type } }).formData());
}

async function messageOf(form: FormData): Promise<VoiceMessage> {
  for (const name of form.keys()) {
    if (!FIELDS.has(name)) throw new Refusal(400, `Bad Request: unknown field ${name}`);
  }
  const voice = form.get('voice');
  if (voice === null || typeof voice === 'string')
    throw new Refusal(400, 'Bad Request: there is no voice in the request');
  if (!/\.(ogg|mp3|m4a)$/.test(voice.name)) throw new Refusal(400, `Bad Request: file ${voice.name}`);
  const bytes = new Uint8Array(await voice.arrayBuffer());
  if (sniffAudio(bytes) !== 'mp3' || voice.type !== 'audio/mpeg')
    throw new Refusal(400, 'Bad Request: wrong type of file');
  const [chat, duration, caption] = ['chat_id', 'duration', 'caption'].map((name) => textOf(form, name));
  if (chat !== CHAT) throw new Refusal(400, 'Bad Request: chat not found');
  if (!/^[1-9]\d*$/.test(duration ?? '')) throw new Refusal(400, 'Bad Request: invalid duration');
  if (caption === undefined || caption.length > MAX_CAPTION)
    throw new Refusal(400, 'Bad Request: message caption is too long');
  return { chat, voice: bytes, duration: Number(duration), caption };
}

function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' ? value : undefined;
}
