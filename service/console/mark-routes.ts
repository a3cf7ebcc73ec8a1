import { AudioError, type Verification, verifyApart } from '@herald-speech/client/audio';
import type { Context, Hono } from 'hono';
import { callerSignal } from '../http/caller-signal.js';
import { type BodyPace, readBody } from '../http/read-body.js';
import type { OnNode } from '../http/route.js';
import { ServiceError } from '../kit/errors.js';
import { SharedPlaces } from '../kit/semaphore.js';

export interface MarkRoutesOptions {
  /** Returns the account of a session or key. @throws ServiceError 401 without one */
  admit(context: Context<OnNode>): { id: string };
  /** The public half of the key that signs marks. */
  markKey: string;
  /** Aborts when the service closes. */
  closing: AbortSignal;
}

/** Bytes of a file: 38 minutes of 16 bits at 22,050 hertz. The command `verify` has no limit. */
const MAX_FILE_BYTES = 100_000_000;
/** Files that are in memory at a time, each of another account. Further requests wait. */
const MAX_FILES = 2;
/** The lowest speed of a file, so that it leaves its place in time. Together with the time limit of a request. */
const PACE: Omit<BodyPace, 'tooSlow'> = { grace: 5000, rate: 100_000 };

const tooLarge = () =>
  new ServiceError(
    413,
    `the file is larger than ${MAX_FILE_BYTES} bytes (100 MB): use "herald-service verify FILE"`,
  );

const tooSlow = () => new ServiceError(408, 'the file arrives too slowly: use "herald-service verify FILE"');

/** Adds the routes that show the key of marks, and check the mark of a file (docs/service.md#check-a-mark). */
export function mountMark(app: Hono<OnNode>, { admit, markKey, closing }: MarkRoutesOptions): void {
  const files = new SharedPlaces(MAX_FILES);
  app.get('/console/api/mark', (context) => {
    admit(context);
    return context.json({ key: markKey });
  });
  app.post('/console/api/verify', async (context) => {
    const { id } = admit(context);
    const { incoming, outgoing } = context.env;
    if (Number(incoming.headers['content-length']) > MAX_FILE_BYTES) throw tooLarge();
    const signal = callerSignal(outgoing, closing);
    const verification = await files.run(id, signal, async () => {
      const pace = { ...PACE, tooSlow: tooSlow() };
      return verified(await readBody(incoming, MAX_FILE_BYTES, tooLarge(), pace), markKey, signal);
    });
    return context.json(verification);
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
