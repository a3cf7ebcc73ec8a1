import type { GetReply } from './http-exchange.js';
import { shown, TransferError } from './transfer-error.js';

/** Content-Range of a 206 (RFC 9110, 14.4). */
const RANGE = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i;

/**
 * Checks the headers of a 200 or a 206 to a request for the bytes from `offset`.
 * @param bytes size of the whole file
 * @returns the offset of the first byte of the body; 0 if the server ignored the range
 * @throws TransferError
 */
export function startOf(url: URL, { statusCode, headers }: GetReply, offset: number, bytes: number): number {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new TransferError(`${shown(url)}: content-encoding "${String(encoding)}" ${AS_IS}`);
  if (statusCode === 200) return checkLength(url, Number(headers['content-length'] ?? bytes), bytes);
  const range = String(headers['content-range'] ?? '');
  const [, first, last, total] = RANGE.exec(range) ?? [];
  if (total !== undefined && total !== '*') checkLength(url, Number(total), bytes);
  if (first !== undefined && Number(first) === offset && Number(last) < bytes) return offset;
  const rule = `expected bytes from ${offset} to ${bytes - 1} at most`;
  throw new WrongRange(`${shown(url)}: content-range "${range}", ${rule}`);
}

const AS_IS = 'refused, expected the unchanged file. Try another mirror, or check the proxy';

/** A server that does not follow the rules of ranges. The download begins again without a range. */
export class WrongRange extends TransferError {
  constructor(problem: string) {
    super(`${problem}. Try another mirror`, { isTemporary: true });
  }
}

function checkLength(url: URL, found: number, expected: number): 0 {
  if (found === expected) return 0;
  const fix = 'It has another version or is damaged: refresh the catalogue or choose another mirror';
  const message = `${shown(url)}: the file has ${found} bytes, the catalogue expects ${expected}. ${fix}`;
  throw new TransferError(message, { kind: 'digest' });
}

/** Returns an ETag that If-Range accepts (RFC 9110, 13.1.5). */
export function strongEtag({ headers }: GetReply): string | undefined {
  const { etag } = headers;
  return typeof etag === 'string' && /^"[^"]{1,200}"$/.test(etag) ? etag : undefined;
}
