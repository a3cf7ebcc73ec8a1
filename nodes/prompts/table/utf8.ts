import { isUtf8 } from 'node:buffer';
import { SpeechError, type Text } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';
import { takeTurns } from './turns.js';

/** Maximum size of a table in CSV, in bytes. */
export const MAX_TABLE_BYTES = 50_000_000;
/** Bytes in which a text in UTF-16 has at least one zero byte, which no CSV text in UTF-8 has. */
const PROBE_BYTES = 4096;
const BOM = Buffer.from('\uFEFF');
/** The signature of ZIP files. Workbooks of spreadsheet programs are ZIP files. */
const ZIP = Buffer.from('PK\u0003\u0004');
/** The signature of workbooks of the format before 2007. */
const OLD_WORKBOOK = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** UTF-16 code units that are encoded at a time. */
const PIECE_LENGTH = 1_000_000;

/**
 * Returns CSV as UTF-8 without a byte order mark.
 * @throws SpeechError `bad-request` for another encoding, a workbook, or more than `MAX_TABLE_BYTES` bytes. Or the reason of
 *   the signal
 */
export async function utf8Of(csv: string | Uint8Array, signal: AbortSignal | undefined): Promise<Buffer> {
  const size = typeof csv === 'string' ? Buffer.byteLength(csv) : csv.byteLength;
  if (size > MAX_TABLE_BYTES) throw unusable(say('table-bytes', { size, limit: MAX_TABLE_BYTES }));
  const bytes =
    typeof csv === 'string' ? await encoded(csv, signal) : Buffer.from(csv.buffer, csv.byteOffset, size);
  checkEncoding(bytes);
  return startsWith(bytes, BOM) ? bytes.subarray(BOM.length) : bytes;
}

async function encoded(csv: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await takeTurns(piecesOf(csv), signal, (piece) => pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}

/** Cuts a text, but not between the two code units of a character. */
function* piecesOf(csv: string): Generator<[string]> {
  for (let start = 0; start < csv.length;) {
    const end = start + PIECE_LENGTH;
    const isInCharacter = (csv.codePointAt(end - 1) ?? 0) > 0xffff;
    yield [csv.slice(start, isInCharacter ? end + 1 : end)];
    start = isInCharacter ? end + 1 : end;
  }
}

function checkEncoding(bytes: Buffer): void {
  if (startsWith(bytes, ZIP) || startsWith(bytes, OLD_WORKBOOK)) throw unusable(say('table-workbook'));
  const isMarked =
    startsWith(bytes, Buffer.from([0xff, 0xfe])) || startsWith(bytes, Buffer.from([0xfe, 0xff]));
  if (isMarked || bytes.subarray(0, PROBE_BYTES).includes(0)) throw unusable(say('table-utf-16'));
  if (!isUtf8(bytes)) throw unusable(say('table-encoding'));
}

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);

/** Returns the error of a table that cannot be used as a whole. */
export const unusable = (message: Text): SpeechError => new SpeechError('bad-request', message);
