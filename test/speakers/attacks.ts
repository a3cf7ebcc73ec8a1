import type { Socket } from 'node:net';

/** The behaviour of a hostile device on a connection. */
export type Attack = (socket: Socket) => void;

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n';
/** Answers each request. */
const replying =
  (reply: string): Attack =>
  (socket) =>
    socket.on('data', () => socket.write(reply));
/** Sends a beginning, then the same text as fast as the other side reads. */
const endless =
  (beginning: string, text: string): Attack =>
  (socket) => {
    const more = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
    const fill = () => {
      while (socket.writable && socket.write(more));
    };
    socket.once('data', () => {
      socket.write(beginning);
      socket.on('drain', fill);
      fill();
    });
    // Players of MPD speak first.
    setTimeout(() => socket.emit('data', Buffer.alloc(0)), 50).unref();
  };
/** Sends one byte at a time. */
const dripping =
  (beginning: string, byte: string): Attack =>
  (socket) => {
    socket.setNoDelay(true);
    socket.write(beginning);
    const timer = setInterval(() => socket.write(byte), 1);
    socket.once('close', () => clearInterval(timer));
  };
const lines = (...all: string[]): string => `${all.join('\n')}\n`;
const json = (value: string, length = value.length): string =>
  `${HEAD}Content-Length: ${length}\r\n\r\n${value}`;
const bomb = `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1000)}">${Array.from({ length: 20 }, (_, index) => `<!ENTITY c${index} "${'&b;'.repeat(1000)}">`).join('')}]><root>${'<service>'.repeat(10_000)}&c1;</root>`;
const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;

/** By the behaviour of the device: "it NAME". */
export const attacks: Readonly<Record<string, Attack>> = {
  'says nothing': () => undefined,
  'closes each connection': (socket) => socket.destroy(),
  'sends no protocol at all': (socket) => socket.end('\0\u0001\u0002\r\n\n\n{]<'.repeat(100)),
  'sends lines without an end': endless('OK MPD 0.23.5\n', 'a: b\n'),
  'sends one endless line': endless('OK MPD 0.23.5\n', 'x'),
  'sends empty lines without an end': endless('', '\n'),
  'sends an endless body': endless(`${HEAD}\r\n`, 'x'),
  'sends endless headers': endless('HTTP/1.1 200 OK\r\n', 'X-More: more\r\n'),
  'sends a body of the smallest chunks': endless(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
  'sends a body byte by byte': dripping(`${HEAD}Content-Length: 4294967296\r\n\r\n`, 'x'),
  'sends a greeting byte by byte': dripping('', 'O'),
  'sends an XML bomb': replying(json(bomb)),
  'sends deeply nested JSON': replying(json(deep)),
  'sends deeply nested JSON as a line': replying(lines('OK MPD 0.23.5', deep)),
  'says that a body is shorter than it is': replying(json('{"result": 1}', 3)),
  'says that a body is longer than it is': replying(json('{"result": 1}', 4_000_000_000)),
  'says a negative length': replying(`${HEAD}Content-Length: -1\r\n\r\nx`),
  'answers with numbers that are none': replying(
    lines('OK MPD 0.23.5', 'volume: 1e309', 'elapsed: -1e309', 'song: NaN', 'songid: ', 'OK'),
  ),
  'answers JSON of another shape': replying(json('{"result": {"tlid": {}}, "attributes": [[]], "state": 7}')),
  'answers each line with null': replying('null\r\n'),
};
