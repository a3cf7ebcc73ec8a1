import { type FileHandle, open } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import type { Request, Response } from 'express';
import { setDlnaHeaders } from './dlna.js';
import { mediaTypeOf } from '../../runtime/media-types.js';
import type { AudioRecording } from './recording.js';

/** Bytes of one read. */
const BLOCK_BYTES = 65_536;
/** Stands for the unknown last byte of a growing file (RFC 8673, section 2.2). */
const LAST_BYTE = Number.MAX_SAFE_INTEGER;
/** Milliseconds in which a player must accept a block. A player at 1 kB/s, less than any format needs, passes. */
const STALL_MS = 120_000;

/** Options of a reply, and hooks for its progress. */
interface SendOptions {
  /** Called with the bytes of each block that the connection has accepted. */
  onSent?: (bytes: number) => void;
  /** Milliseconds after which a player that accepts no data loses its connection. */
  stallMs?: number;
}

/**
 * Sends a recording, or the range that the player requests (RFC 9110, section 14). Follows a recording that is still written.
 * If the recording fails, ends the connection with an error. Resolves when the reply is over.
 * @param signal ends the reply with an error
 */
export async function sendRecording(
  recording: AudioRecording,
  request: Request,
  response: Response,
  signal: AbortSignal,
  options: SendOptions = {},
): Promise<void> {
  const handle = await openContent(recording, signal);
  try {
    const start = await availableStart(recording, request, signal);
    setDlnaHeaders(request, response, recording);
    response.type(mediaTypeOf(recording.name));
    const span =
      recording.state === 'complete'
        ? spanOfComplete(recording, request, response)
        : spanOfGrowing(recording, request, response, start);
    if (span === undefined || request.method === 'HEAD') response.end();
    else {
      const blocks = accepted(bytesOf(handle, recording, span, signal), request, response, options);
      await transmit(resetting(blocks, request), response, signal);
    }
  } finally {
    await handle.close();
  }
}

/**
 * Sends the blocks. Ends when the signal aborts, also if the reply waits behind another one on its connection: Node.js emits no
 * event for such a reply when the connection ends, and its file would stay open.
 * @throws the error of the blocks; an error if the reply ends early
 */
async function transmit(
  blocks: AsyncIterable<Uint8Array>,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const close = () => {
    if (response.socket === null) response.emit('close');
  };
  signal.addEventListener('abort', close);
  try {
    await pipeline(blocks, response, { signal });
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/** The first byte to send and the byte after the last. */
interface Span {
  start: number;
  end: number;
}

/** Opens the content. The writer can rename the file meanwhile. @throws Error `ENOENT` if the file is gone */
async function openContent(recording: AudioRecording, signal: AbortSignal): Promise<FileHandle> {
  const { path } = recording;
  try {
    return await open(path);
  } catch (error) {
    // The file has its final name already, but the recording does not show it yet.
    if (path === recording.path && recording.state === 'growing') await recording.changed(signal);
    if (path === recording.path) throw error;
    return open(recording.path);
  }
}

const RANGE = /^bytes=(\d+)-(\d*)$/;
/**
 * A range of a growing recording that starts here or later is a search for the end: a WAV of unknown length claims 4 GiB, and
 * ffmpeg asks for byte 2^63 - 1. Such a request must not wait for the end of the speech.
 */
const SEARCH_FOR_END = 2 ** 31;

/** Waits until a growing recording contains the first byte of the requested range, and returns the place of this byte. */
async function availableStart(
  recording: AudioRecording,
  request: Request,
  signal: AbortSignal,
): Promise<number> {
  const start = Number(RANGE.exec(rangeOf(request) ?? '')?.[1] ?? 0);
  if (start >= SEARCH_FOR_END) return start;
  while (recording.state === 'growing' && recording.bytes <= start) await recording.changed(signal);
  return start;
}

/** Only GET has ranges. A growing recording has no validator, so that `If-Range` can only match a complete one. */
function rangeOf(request: Request, etag = ''): string | undefined {
  const condition = request.get('If-Range');
  const isValid = condition === undefined || condition === etag;
  return request.method === 'GET' && isValid ? request.get('Range') : undefined;
}

/** Sets the headers of a complete recording. Returns undefined if the reply has no body. */
function spanOfComplete(
  { name, bytes }: AudioRecording,
  request: Request,
  response: Response,
): Span | undefined {
  const etag = `"${name}"`;
  response.set({ 'Accept-Ranges': 'bytes', 'Cache-Control': 'private, max-age=3600', ETag: etag });
  if (request.fresh) {
    response.status(304);
    return undefined;
  }
  const ranges = rangeOf(request, etag) === undefined ? undefined : request.range(bytes, { combine: true });
  if (ranges === -1) {
    response.status(416).set('Content-Range', `bytes */${bytes}`);
    return undefined;
  }
  const isSingle = Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1;
  const { start, end } = (isSingle ? ranges[0] : undefined) ?? { start: 0, end: bytes - 1 };
  if (isSingle) response.status(206).set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  response.set('Content-Length', String(end + 1 - start));
  return { start, end: end + 1 };
}

/**
 * Sets the headers of a growing recording, whose length is unknown. The reply to an open range continues until the recording
 * is complete, because players take the end of a reply for the end of the audio. Without `Accept-Ranges`, players do not seek.
 * Returns undefined if the reply has no body.
 */
function spanOfGrowing(
  { bytes }: AudioRecording,
  request: Request,
  response: Response,
  start: number,
): Span | undefined {
  response.set('Cache-Control', 'no-store');
  if (start >= SEARCH_FOR_END) {
    response.status(416);
    return undefined;
  }
  const [, , last = ''] = RANGE.exec(rangeOf(request) ?? '') ?? [];
  if (last === '' && start === 0) return { start, end: Infinity };
  const end = last === '' ? LAST_BYTE : Math.min(Number(last), bytes - 1);
  if (end < start) return { start: 0, end: Infinity };
  response.status(206).set('Content-Range', `bytes ${start}-${end}/*`);
  if (last !== '') response.set('Content-Length', String(end + 1 - start));
  return { start, end: last === '' ? Infinity : end + 1 };
}

/** Resets the connection if the source fails and the player uses HTTP 1.0, which ends a reply by closing the connection. */
async function* resetting<Item>(source: AsyncIterable<Item>, request: Request): AsyncGenerator<Item> {
  try {
    yield* source;
  } catch (error) {
    if (request.httpVersionMinor === 0) resetConnection(request.socket);
    throw error;
  }
}

/** Ends a connection with an error that the player notices. Only a plain TCP connection can be reset. */
export function resetConnection(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/**
 * Yields blocks, and resets the connection if the player does not accept a block or the end of the reply in time: its connection
 * and the open file must not last for ever.
 */
async function* accepted(
  source: AsyncIterable<Uint8Array>,
  { socket }: Request,
  response: Response,
  { onSent, stallMs = STALL_MS }: SendOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reset = () => resetConnection(socket);
  for await (const block of source) {
    const timer = setTimeout(reset, stallMs);
    try {
      yield block;
    } finally {
      clearTimeout(timer);
    }
    onSent?.(block.length);
  }
  // A small last block is buffered without a wait. The reply has not ended before the connection accepts it.
  response.setTimeout(stallMs, reset);
}

/** Yields the bytes of a recording, and waits while bytes are missing. */
async function* bytesOf(
  handle: FileHandle,
  recording: AudioRecording,
  { start, end }: Span,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = start; at < end;) {
    signal.throwIfAborted();
    const length = Math.min(BLOCK_BYTES, Math.min(end, recording.bytes) - at);
    if (length > 0) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) throw new Error('the file is shorter than expected');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    } else if (recording.state === 'growing') await recording.changed(signal);
    else if (recording.state === 'complete') return;
    else throw new Error('the speech failed');
  }
}
