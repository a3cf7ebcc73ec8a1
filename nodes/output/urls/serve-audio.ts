import type { Socket } from 'node:net';
import path from 'node:path';
import type { Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { localize } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { type RecordingStore, recordingStore } from './recording-store.js';
import { type AudioRequest, type RequestTrace, traceRequest } from './requests.js';
import { resetConnection, sendRecording } from './send-recording.js';

/** The path of the audio on the Node-RED server, below `httpNodeRoot`, and on an audio port. */
export const AUDIO_PATH = '/herald/audio';

/** The replies that are sent now. Each function ends one reply with an error. */
export type Replies = Set<() => void>;

/** Returns the store in the user directory, if Node-RED has one. */
export function storeOf(RED: NodeAPI): RecordingStore | undefined {
  const folder = audioFolder(RED);
  return folder === undefined ? undefined : recordingStore(folder);
}

/** Returns the folder of the audio in the user directory, if Node-RED has one. */
export const audioFolder = ({ settings: { userDir } }: Pick<NodeAPI, 'settings'>): string | undefined =>
  userDir ? path.resolve(userDir, 'herald', 'audio') : undefined;

/** Answers a question of a browser for the permission to send headers from a page of another origin. */
export function answerOptions(response: Response): void {
  allowOrigins(response).set({
    'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
    'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match',
    'Access-Control-Max-Age': '86400',
  });
  response.status(204).end();
}

/** Answers a request for audio with GET or HEAD. The reply ends early if the player disconnects or the recording fails. */
export function answerAudio(
  RED: NodeAPI,
  name: string,
  request: Request,
  response: Response,
  replies: Replies,
  via: AudioRequest['via'],
): void {
  allowOrigins(response);
  const reply = new AbortController();
  // An HTTP 1.0 player takes a closed connection for the end of the audio, so the connection is reset.
  const end = () => {
    resetConnection(request.socket);
    reply.abort(new Error('the audio route is closed'));
  };
  replies.add(end);
  response.once('close', () => reply.abort());
  const cancel = atSocketEnd(request.socket, () => reply.abort());
  const trace = traceRequest(request, response, name, via);
  answer(RED, name, { request, response, signal: reply.signal, end, trace })
    .catch(() => response.destroy())
    .finally(() => {
      replies.delete(end);
      cancel();
    });
}

interface Reply {
  request: Request;
  response: Response;
  signal: AbortSignal;
  /** Ends the reply with an error. */
  end(): void;
  trace: RequestTrace;
}

async function answer(RED: NodeAPI, name: string, reply: Reply): Promise<void> {
  const { request, response, signal, trace, end } = reply;
  const store = storeOf(RED);
  const recording = await store?.find(name);
  const release = recording?.read(request.get('Range'), end);
  if (store === undefined || recording === undefined || release === undefined) return notFound(RED, response);
  try {
    await sendRecording(recording, request, response, signal, { onSent: trace.sent });
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (response.headersSent || !(isMissing || recording.state === 'failed')) throw error;
    if (recording.state === 'complete') store.forget(recording);
    notFound(RED, response);
  } finally {
    release();
    await store.shrink();
  }
}

/** Lets pages of other origins, such as a cast receiver, play the audio. */
const allowOrigins = (response: Response): Response =>
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
  });

function notFound(RED: NodeAPI, response: Response): void {
  response
    .status(404)
    .set('Cache-Control', 'no-store')
    .json({ message: localize(RED, say('audio-expired')) });
}

/** The work for the end of each connection. One listener serves all requests that a player sends on a connection. */
const works = new WeakMap<Socket, Set<() => void>>();

/**
 * Runs `work` when a connection closes. A reply that waits behind another one on its connection emits no event then.
 * @returns a function that cancels the work
 */
export function atSocketEnd(socket: Socket, work: () => void): () => void {
  const all = works.get(socket) ?? new Set();
  if (!works.has(socket)) {
    works.set(socket, all);
    socket.once('close', () => all.forEach((each) => each()));
  }
  all.add(work);
  return () => void all.delete(work);
}
