import {
  AudioError,
  asSpeechError,
  SpeechError,
  type Verification,
  verifyApart,
} from '@herald-speech/client';
import type { Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { openMarkSigner, problemOf } from '../account/mark-key.js';
import { editorTranslator } from '../runtime/languages.js';
import { localizeError } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { messageError } from '../runtime/ports.js';
import { refuseForeign } from './endpoint/endpoint.js';

/** Bytes of a file: 38 minutes of 16 bits at 22,050 hertz. */
const MAX_FILE_BYTES = 100_000_000;
/** Milliseconds after which a file must have arrived at this speed in bytes per second, because other checks wait. */
const GRACE_MS = 10_000;
const SLOWEST = 100_000;

/** The end of the last check. The next one reads its file then, so that one file is in memory at a time. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Serves `POST /herald/verify`: checks the mark of the file in the body (`application/octet-stream`). Replies with the verdict of
 * `verifyAudio`, or with `{error}`. The trusted key is the one of the data folder. A file that is too large gets status 413.
 */
export function serveMark(RED: NodeAPI): void {
  RED.httpAdmin.post(
    '/herald/verify',
    refuseForeign,
    RED.auth.needsPermission('herald.read'),
    (request: Request, response: Response) => {
      const length = Number(request.get('content-length'));
      response.set('Cache-Control', 'no-store');
      if (length <= MAX_FILE_BYTES) void answer(RED, request, response, length);
      else response.sendStatus(Number.isNaN(length) ? 411 : 413);
    },
  );
}

async function answer(RED: NodeAPI, request: Request, response: Response, length: number): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new SpeechError('aborted', say('editor-closed'))));
  try {
    const checked = turn.then(() => check(RED, request, length, gone.signal));
    turn = checked.catch(() => undefined);
    response.json(await checked);
  } catch (error) {
    const translator = editorTranslator(RED, request);
    response.json({ error: messageError(localizeError(translator, asSpeechError(error))) });
  }
}

/** @throws SpeechError */
async function check(
  RED: NodeAPI,
  request: Request,
  length: number,
  signal: AbortSignal,
): Promise<Verification> {
  signal.throwIfAborted();
  const found = await verified(await readFile(request, length), signal);
  return found.verdict === 'foreign' && found.key === (await ownKey(RED))
    ? { ...found, verdict: 'unchanged' }
    : found;
}

/** Checks a file without a trusted key. @throws SpeechError `unsupported-media` for a file without a readable mark */
async function verified(file: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<Verification> {
  try {
    return await verifyApart(file, [], signal);
  } catch (cause) {
    if (!(cause instanceof AudioError)) throw cause;
    const key = cause.kind === 'incomplete' ? 'mark-damaged' : 'mark-no-audio';
    throw new SpeechError('unsupported-media', say(key), { cause });
  }
}

/** @throws SpeechError `not-configured` without a readable key: nothing tells then if this Herald made a file */
async function ownKey(RED: NodeAPI): Promise<string | undefined> {
  try {
    return (await openMarkSigner(RED))?.key;
  } catch (cause) {
    throw new SpeechError('not-configured', say('mark-key', { problem: problemOf(cause) }), { cause });
  }
}

/** @throws SpeechError `aborted` */
async function readFile(request: Request, length: number): Promise<Buffer<ArrayBuffer>> {
  const start = performance.now() + GRACE_MS;
  const watch = setInterval(() => {
    if (filled < ((performance.now() - start) / 1000) * SLOWEST) request.destroy();
  }, 1000);
  // With memory of its own, which goes to the thread of the check.
  const file = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      filled += part.copy(file, filled);
    }
    return file.subarray(0, filled);
  } catch (cause) {
    throw new SpeechError('aborted', say('editor-closed'), { cause });
  } finally {
    clearInterval(watch);
  }
}
