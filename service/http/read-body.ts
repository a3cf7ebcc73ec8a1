import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../kit/errors.js';

/**
 * Reads a body up to its limit. After an error reply, the server discards the rest.
 * @throws ServiceError 400 for an incomplete body; the error `tooLong` for more than `limit` bytes
 */
export function readBody(
  incoming: IncomingMessage,
  limit: number,
  tooLong: ServiceError,
): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    incoming.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= limit) pieces.push(piece);
      else reject(tooLong);
    });
    incoming.once('end', () => resolve(Buffer.concat(pieces)));
    incoming.once('error', (cause) =>
      reject(new ServiceError(400, 'the body is incomplete: send the request again', { cause })),
    );
  });
}
