import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { apiErrorBody, toApiError } from './api-error.js';

/** The reply of a request, and the signal that aborts when the caller hangs up. */
export interface ReplyCall {
  outgoing: ServerResponse;
  signal: AbortSignal;
}

export type Headers = Readonly<Record<string, string>>;

/** The voice may change until the end of the speech. */
export interface ReplyHeaders {
  /** Read before the first byte. */
  headers: () => Headers;
  /** Read after the last byte. */
  trailers: () => Headers;
}

/** Headers of a reply that grows. A proxy must not collect it. */
const STREAM_HEADERS = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' };

/** Returns the reply with the complete audio. */
export async function wholeReply(
  parts: AsyncIterable<Uint8Array>,
  headers: () => Headers,
): Promise<Response> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return new Response(Buffer.concat(all), { headers: headers() });
}

/**
 * Sends the parts of the audio. The headers wait for the first part, so that a request that fails at once gets its error
 * status. A later failure breaks the connection.
 */
export async function streamedReply(
  parts: AsyncIterable<Uint8Array>,
  { headers, trailers }: ReplyHeaders,
  call: ReplyCall,
): Promise<Response> {
  const { outgoing } = call;
  try {
    for await (const part of parts) await send(part, headers, call);
  } catch (error) {
    if (outgoing.headersSent) outgoing.destroy();
    throw error;
  }
  outgoing.addTrailers(trailers());
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

/** Counts of a finished speech (docs/openai.md#events). */
export interface TokenUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

/**
 * Sends the parts of the audio as server-sent events. A failure after the first event becomes an event too.
 * @throws the failure, also after its event, so that the log contains it
 */
export async function eventReply(
  parts: AsyncIterable<Uint8Array>,
  usage: () => TokenUsage,
  { headers, trailers }: ReplyHeaders,
  call: ReplyCall,
): Promise<Response> {
  const { outgoing } = call;
  const all = () => ({ ...headers(), 'content-type': 'text/event-stream; charset=utf-8' });
  const event = (data: object) => send(`data: ${JSON.stringify(data)}\n\n`, all, call);
  try {
    for await (const part of parts) {
      const audio = Buffer.from(part).toString('base64');
      if (audio !== '') await event({ type: 'speech.audio.delta', audio });
    }
    await event({ type: 'speech.audio.done', usage: usage() });
  } catch (error) {
    if (outgoing.headersSent && !call.signal.aborted) {
      await event({ type: 'error', ...apiErrorBody(toApiError(error)) });
      outgoing.end();
    }
    throw error;
  }
  outgoing.addTrailers(trailers());
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}

/** Waits while the caller reads slowly. */
async function send(
  data: Uint8Array | string,
  headers: () => Headers,
  { outgoing, signal }: ReplyCall,
): Promise<void> {
  signal.throwIfAborted();
  if (data.length === 0) return;
  if (!outgoing.headersSent) outgoing.writeHead(200, { ...headers(), ...STREAM_HEADERS });
  if (!outgoing.write(data)) await once(outgoing, 'drain', { signal });
}
