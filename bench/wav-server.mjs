/**
 * Replies to each request with silence as WAV. Sends its URL to the parent process.
 * Arguments: milliseconds until a reply (default 0), seconds of silence (default 0.1).
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';

const SAMPLE_RATE = 16_000;
const [delay = 0, seconds = 0.1] = process.argv.slice(2).map(Number);
const data = Buffer.alloc(Math.round(SAMPLE_RATE * seconds) * 2);
const header = Buffer.alloc(44);
header.write('RIFF', 0);
header.writeUInt32LE(36 + data.length, 4);
header.write('WAVEfmt ', 8);
header.writeUInt32LE(16, 16);
header.writeUInt16LE(1, 20);
header.writeUInt16LE(1, 22);
header.writeUInt32LE(SAMPLE_RATE, 24);
header.writeUInt32LE(SAMPLE_RATE * 2, 28);
header.writeUInt16LE(2, 32);
header.writeUInt16LE(16, 34);
header.write('data', 36);
header.writeUInt32LE(data.length, 40);
const wav = Buffer.concat([header, data]);

const server = createServer((request, reply) => {
  request.resume();
  request.once('end', () => (delay > 0 ? setTimeout(answer, delay, reply) : answer(reply)));
});

/** @param {import('node:http').ServerResponse} reply */
function answer(reply) {
  reply.writeHead(200, {
    'content-type': 'audio/wav',
    'content-length': wav.length,
    'x-audio-length': String(seconds),
  });
  reply.end(wav);
}

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
process.once('disconnect', () => process.exit());
