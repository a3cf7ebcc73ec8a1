import { AudioError, type Verification, verifyApart } from '@herald-speech/client/audio';
import type { Context, Hono } from 'hono';
import { callerSignal } from '../http/caller-signal.js';
import { readBody } from '../http/read-body.js';
import type { OnNode } from '../http/route.js';
import { ServiceError } from '../kit/errors.js';
import { Semaphore } from '../kit/semaphore.js';

export interface MarkRoutesOptions {
  /** @throws ServiceError 401 unless a session or a key of any account sends the request */
  admit(context: Context<OnNode>): void;
  /** The public half of the key that signs marks. */
  markKey: string;
  /** Aborts when the service closes. */
  closing: AbortSignal;
}

/** Bytes of a file: 38 minutes of 16 bits at 22,050 hertz. The command `verify` has no limit. */
const MAX_FILE_BYTES = 100_000_000;
/** Files that are in memory at a time. Further requests wait. */
const MAX_FILES = 2;

const tooLarge = () =>
  new ServiceError(
    413,
    `the file is larger than ${MAX_FILE_BYTES} bytes (100 MB): use "herald-service verify FILE"`,
  );

/** Adds the routes that show the key of marks, and check the mark of a file (docs/service.md#check-a-mark). */
export function mountMark(app: Hono<OnNode>, { admit, markKey, closing }: MarkRoutesOptions): void {
  const files = new Semaphore(MAX_FILES);
  app.get('/console/api/mark', (context) => {
    admit(context);
    return context.json({ key: markKey });
  });
  app.post('/console/api/verify', async (context) => {
    admit(context);
    const { incoming, outgoing } = context.env;
    if (Number(incoming.headers['content-length']) > MAX_FILE_BYTES) throw tooLarge();
    const signal = callerSignal(outgoing, closing);
    await files.take(signal);
    try {
      const file = await readBody(incoming, MAX_FILE_BYTES, tooLarge());
      return context.json(await verified(file, markKey, signal));
    } finally {
      files.leave();
    }
  });
}

/** @throws ServiceError 415 for a file that can have no mark */
async function verified(file: Buffer<ArrayBuffer>, key: string, signal: AbortSignal): Promise<Verification> {
  try {
    return await verifyApart(file, [key], signal);
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    throw new ServiceError(415, error.message, { cause: error });
  }
}
