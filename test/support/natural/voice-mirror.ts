import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serving } from '../net/serve.js';

/** The behaviour of a broken mirror for one request. */
export interface MirrorFault {
  /** Replaces the status, with an empty body. */
  status?: number;
  headers?: Record<string, string>;
  redirect?: string;
  /** Replaces the content of the file. */
  content?: Buffer;
  /** Resets the connection before this byte of the file. */
  cutAt?: number;
  /** Sends nothing after this byte of the file, and keeps the connection open. */
  stallAt?: number;
  /** Milliseconds between two pieces of 50 kB. */
  pause?: number;
  /** Ends the body before this byte of the file, as if the file ended there. Sends no Content-Length. */
  endAt?: number;
  /** Sends the whole file with status 200 to a request with a range. */
  ignoresRange?: boolean;
  /** Replies 416 to a request with a range. */
  refusesRange?: boolean;
  /** Added to the numbers of Content-Range. */
  rangeOffset?: number;
  /** The ETag; null sends none. Default: the MD5 of the file. */
  etag?: string | null;
}

export interface MirrorRequest {
  /** Path below the folder, decoded. */
  file: string;
  /** Number of earlier requests for the file. */
  earlier: number;
  headers: IncomingMessage['headers'];
}

export interface VoiceMirror {
  url: string;
  requests: MirrorRequest[];
}

const PIECE = 50_000;

/** Runs `work` with a loopback mirror of a folder, then closes it. `faultOf` returns the fault of a request. */
export async function withVoiceMirror<Result>(
  folder: string,
  work: (mirror: VoiceMirror) => Promise<Result>,
  faultOf: (request: MirrorRequest) => MirrorFault | undefined = () => undefined,
): Promise<Result> {
  const requests: MirrorRequest[] = [];
  const answer = (message: IncomingMessage, reply: ServerResponse) => {
    const file = decodeURIComponent(new URL(message.url ?? '/', 'http://mirror').pathname.slice(1));
    const earlier = requests.filter((request) => request.file === file).length;
    const request = { file, earlier, headers: message.headers };
    requests.push(request);
    send(reply, request, folder, faultOf(request) ?? {});
  };
  return serving(answer, (url) => work({ url, requests }));
}

function send(reply: ServerResponse, request: MirrorRequest, folder: string, fault: MirrorFault): void {
  if (fault.redirect !== undefined) return end(reply, 302, { location: fault.redirect });
  if (fault.status !== undefined) return end(reply, fault.status, fault.headers);
  const content = fault.content ?? contentOf(path.join(folder, request.file));
  if (content === undefined) return end(reply, 404);
  const etag = fault.etag === undefined ? `"${md5Of(content)}"` : fault.etag;
  const start = rangeStart(request, etag, fault);
  if (fault.refusesRange === true && request.headers.range !== undefined) return end(reply, 416);
  if (start >= content.length && start > 0)
    return end(reply, 416, { 'content-range': `bytes */${content.length}` });
  const { rangeOffset: off = 0 } = fault;
  const last = content.length - 1 + off;
  reply.writeHead(start > 0 ? 206 : 200, {
    'content-type': 'application/octet-stream',
    ...(fault.endAt === undefined && { 'content-length': content.length - start }),
    ...(start > 0 && { 'content-range': `bytes ${start + off}-${last}/${content.length}` }),
    ...(etag !== null && { etag }),
    ...fault.headers,
  });
  write(reply, content, start, fault);
}

/** Returns the first byte of the range. An ETag that differs from If-Range makes the range void. */
function rangeStart({ headers }: MirrorRequest, etag: string | null, { ignoresRange }: MirrorFault): number {
  const [, start = '0'] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  const isVoid = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  return isVoid || ignoresRange === true ? 0 : Number(start);
}

function write(reply: ServerResponse, content: Buffer, start: number, fault: MirrorFault): void {
  if (fault.pause !== undefined) return void writeSlowly(reply, content.subarray(start), fault.pause);
  const stop = fault.cutAt ?? fault.stallAt ?? fault.endAt;
  if (stop === undefined || stop >= content.length) return void reply.end(content.subarray(start));
  const part = content.subarray(start, Math.max(start, stop));
  reply.flushHeaders();
  if (fault.endAt !== undefined) return void reply.end(part);
  if (part.length === 0) return fault.cutAt === undefined ? undefined : void reply.socket?.destroy();
  reply.write(part, () => {
    if (fault.cutAt !== undefined) reply.socket?.destroySoon();
  });
}

async function writeSlowly(reply: ServerResponse, content: Buffer, pause: number): Promise<void> {
  for (let at = 0; at < content.length && !reply.destroyed; at += PIECE) {
    reply.write(content.subarray(at, at + PIECE));
    await delay(pause);
  }
  reply.end();
}

function end(reply: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  reply.writeHead(status, headers).end();
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

export const md5Of = (content: Uint8Array): string => createHash('md5').update(content).digest('hex');
