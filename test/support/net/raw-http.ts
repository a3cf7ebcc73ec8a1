import assert from 'node:assert/strict';
import net from 'node:net';
import { STATUS_CODES } from 'node:http';

/** A reply, parsed from its bytes. */
export interface RawReply {
  status: number;
  /** Header values by lower-case name. */
  headers: ReadonlyMap<string, string>;
  body: string;
}

/** Sends pieces to a service, and returns its reply after it has closed the connection: one character per byte. */
export async function exchange(url: string, ...pieces: ReadonlyArray<string | Uint8Array>): Promise<string> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  let answer = '';
  socket.setEncoding('latin1').on('data', (piece) => (answer += String(piece)));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const piece of pieces) socket.write(piece);
  await closed;
  return answer;
}

/** Parses the bytes of a connection into complete replies. Fails on other bytes. */
export function repliesOf(answer: string): RawReply[] {
  const replies: RawReply[] = [];
  for (let rest = answer; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    assert.ok(end >= 0, `no head: ${rest}`);
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(lines.map(headerOf));
    const { body, length } = bodyOf(headers, rest.slice(end + 4));
    replies.push({ status: statusOf(start), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return replies;
}

function statusOf(start: string): number {
  const [, status = '', words] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(start) ?? assert.fail(start);
  assert.equal(words, STATUS_CODES[status]);
  return Number(status);
}

function headerOf(line: string): [string, string] {
  const [, name = '', value = ''] = /^([\w-]+): *(.*)$/.exec(line) ?? assert.fail(line);
  return [name.toLowerCase(), value];
}

function bodyOf(headers: ReadonlyMap<string, string>, rest: string): { body: string; length: number } {
  if (headers.get('transfer-encoding') === 'chunked') return chunksOf(rest);
  const length = Number(headers.get('content-length') ?? 0);
  assert.ok(rest.length >= length, `${rest.length} of ${length} bytes: ${rest}`);
  return { body: rest.slice(0, length), length };
}

function chunksOf(rest: string): { body: string; length: number } {
  let body = '';
  for (let at = 0; ;) {
    const end = rest.indexOf('\r\n', at);
    assert.ok(end >= 0, 'the chunks end early');
    const size = Number.parseInt(rest.slice(at, end), 16);
    body += rest.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
    if (size === 0) return { body, length: rest.indexOf('\r\n\r\n', end) + 4 };
  }
}
