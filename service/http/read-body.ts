import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../kit/errors.js';

/** The lowest speed of a body that others wait for. */
export interface BodyPace {
  /** Milliseconds without a check. */
  grace: number;
  /** Bytes per second after that. */
  rate: number;
  /** The error of a slower body. */
  tooSlow: ServiceError;
}

/** Milliseconds between two checks of the pace. */
const CHECK_MS = 500;

/**
 * Reads a body up to its limit. After an error reply, the server discards the rest.
 * @param pace default: the time limit of the server
 * @throws ServiceError 400 for an incomplete body; the error `tooLong` for more than `limit` bytes, `tooSlow` below the pace
 */
export async function readBody(
  incoming: IncomingMessage,
  limit: number,
  tooLong: ServiceError,
  pace?: BodyPace,
): Promise<Buffer<ArrayBuffer>> {
  let timer: NodeJS.Timeout | undefined;
  const body = new Promise<Buffer<ArrayBuffer>>((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const collect = (piece: Buffer) => {
      length += piece.length;
      if (length <= limit) pieces.push(piece);
      else reject(tooLong);
    };
    incoming.on('data', collect);
    const fail = (error: ServiceError) => {
      incoming.off('data', collect);
      reject(error);
    };
    if (pace !== undefined) timer = whenSlow(pace, () => length, fail);
    incoming.once('end', () => resolve(Buffer.concat(pieces)));
    incoming.once('error', (cause) =>
      reject(new ServiceError(400, 'the body is incomplete: send the request again', { cause })),
    );
  });
  return body.finally(() => clearInterval(timer));
}

/** Calls `fail` when less has arrived than the pace demands. */
function whenSlow(
  { grace, rate, tooSlow }: BodyPace,
  arrived: () => number,
  fail: (error: ServiceError) => void,
): NodeJS.Timeout {
  const start = performance.now() + grace;
  return setInterval(() => {
    if (arrived() < ((performance.now() - start) / 1000) * rate) fail(tooSlow);
  }, CHECK_MS);
}
