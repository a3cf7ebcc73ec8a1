import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import { isLoopback } from './addresses.js';

/** A request for audio, as the dialog shows it. */
export interface AudioRequest {
  id: number;
  /** The file name of the audio. */
  name: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The address of the player. */
  address: string;
  /** The base URL that the player used. '' if a proxy on this computer hides it. */
  base: string;
  userAgent: string;
  method: string;
  range?: string;
  http: '1.0' | '1.1';
  /** 0 until the reply begins. */
  status: number;
  /** Bytes of the body that were sent so far. */
  bytes: number;
  via: 'node-red' | 'audio-port';
  state: 'running' | 'complete' | 'ended-early';
}

/** UTF-16 code units of a header that a request keeps. */
const MAX_HEADER = 200;

const listeners = new Set<(request: AudioRequest) => void>();
let count = 0;

/**
 * Calls a listener for each change of a request for audio, with a copy of the request. Nothing is kept for later listeners.
 * The listener must not throw.
 * @returns a function that removes the listener
 */
export function watchRequests(listener: (request: AudioRequest) => void): () => void {
  // Two watchers may pass the same function.
  const own = (request: AudioRequest) => listener(request);
  listeners.add(own);
  return () => void listeners.delete(own);
}

/** Notes the progress of one request. */
export interface RequestTrace {
  /** Adds bytes of the body that were sent. */
  sent(bytes: number): void;
}

/** Starts to report a request to the listeners. */
export function traceRequest(
  request: Request,
  response: Response,
  name: string,
  via: AudioRequest['via'],
): RequestTrace {
  const range = request.get('Range');
  let bytes = 0;
  const common = {
    id: (count += 1),
    name,
    startedAt: Date.now(),
    address: addressOf(request),
    base: baseOf(request, via),
    userAgent: (request.get('User-Agent') ?? '').slice(0, MAX_HEADER),
    method: request.method,
    ...(range !== undefined && { range: range.slice(0, MAX_HEADER) }),
    http: request.httpVersionMinor === 0 ? ('1.0' as const) : ('1.1' as const),
    via,
  };
  const publish = (state: AudioRequest['state']) => {
    const status = response.headersSent ? response.statusCode : 0;
    for (const listener of listeners) listener({ ...common, status, bytes, state });
  };
  publish('running');
  response.once('close', () => publish(response.writableFinished ? 'complete' : 'ended-early'));
  return {
    sent(more) {
      bytes += more;
      publish('running');
    },
  };
}

/** Returns the start of the URL of the request, up to the path of the audio. */
function baseOf(request: Request, via: AudioRequest['via']): string {
  const isProxied = request.get('X-Forwarded-For') !== undefined;
  const host = request.get(isProxied ? 'X-Forwarded-Host' : 'Host') ?? '';
  // An audio port has no root, and its requests have no `originalUrl`.
  const [root = ''] = via === 'audio-port' ? [] : request.originalUrl.split('/herald/audio/');
  const base = `${request.protocol}://${host}${root}`;
  return URL.canParse(base) ? base.slice(0, MAX_HEADER) : '';
}

/** Returns the address of the player. Only a proxy on this computer may name the address of its client. */
function addressOf(request: Request): string {
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const named = request.get('X-Forwarded-For')?.split(',').at(-1)?.trim() ?? '';
  return isLoopback(address) && isIP(named) !== 0 ? named : address;
}
