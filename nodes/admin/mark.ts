import {
  AudioError,
  asSpeechError,
  SpeechError,
  type Verification,
  verifyAudio,
} from '@herald-speech/client';
import type { Request, Response } from 'express';
import type { NodeAPI } from 'node-red';
import { markSigner } from '../account/mark-key.js';
import { editorTranslator } from '../runtime/languages.js';
import { localizeError } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { messageError } from '../runtime/ports.js';
import { refuseForeign } from './endpoint/endpoint.js';

/** Bytes of a file: 38 minutes of 16 bits at 22,050 hertz. */
const MAX_FILE_BYTES = 100_000_000;
/** Milliseconds for a file to arrive. */
const DEADLINE_MS = 45_000;

/** The end of the last check. The next one reads its file then, so that one file is in memory at a time. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Serves `POST /herald/verify`: checks the mark of the file in the body (`application/octet-stream`). Replies with the verdict of
 * `verifyAudio`, or with `{error}`. The trusted key is the one of the data folder.
 */
export function serveMark(RED: NodeAPI): void {
  RED.httpAdmin.post(
    '/herald/verify',
    refuseForeign,
    RED.auth.needsPermission('herald.read'),
    (request: Request, response: Response) => void answer(RED, request, response),
  );
}

async function answer(RED: NodeAPI, request: Request, response: Response): Promise<void> {
  response.set('Cache-Control', 'no-store');
  try {
    const checked = turn.then(() => check(RED, request));
    turn = checked.catch(() => undefined);
    response.json(await checked);
  } catch (error) {
    const translator = editorTranslator(RED, request);
    response.json({ error: messageError(localizeError(translator, asSpeechError(error))) });
  }
}

async function check(RED: NodeAPI, request: Request): Promise<Verification> {
  const file = await readFile(request);
  const signer = await markSigner(RED);
  try {
    return verifyAudio(file, signer === undefined ? [] : [signer.key]);
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    throw new SpeechError('bad-request', say('mark-no-audio'), { cause: error });
  }
}

/** @throws SpeechError `too-large`, `timed-out` or `aborted` */
async function readFile(request: Request): Promise<Buffer> {
  const late = setTimeout(() => request.destroy(), DEADLINE_MS);
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length;
      // The rest is read and dropped, so that the editor gets the reply.
      if (bytes <= MAX_FILE_BYTES) parts.push(part);
      else parts.length = 0;
    }
  } catch (cause) {
    throw new SpeechError('aborted', say('editor-closed'), { cause });
  } finally {
    clearTimeout(late);
  }
  if (bytes > MAX_FILE_BYTES)
    throw new SpeechError('too-large', say('mark-too-large', { limit: MAX_FILE_BYTES / 1_000_000 }));
  return Buffer.concat(parts);
}
