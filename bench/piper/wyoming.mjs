/** A client of the Wyoming protocol, which Herald and wyoming-piper share. */
import { once } from 'node:events';
import net from 'node:net';

/**
 * @typedef {object} Speech
 * @property {number} firstMs milliseconds from the request to the first sample
 * @property {number} totalMs
 * @property {number} seconds of audio
 * @property {Int16Array} samples
 * @property {number} sampleRate
 */

/**
 * Speaks a text on a new connection.
 * @param {number} port
 * @param {string} voice
 * @param {string} text
 * @returns {Promise<Speech>}
 */
export async function speak(port, voice, text) {
  const start = performance.now();
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`${JSON.stringify({ type: 'synthesize', data: { text, voice: { name: voice } } })}\n`);
  let firstMs = 0;
  let sampleRate = 0;
  /** @type {Buffer[]} */
  const audio = [];
  for await (const { type, data, payload } of eventsOf(socket)) {
    if (type === 'error') throw new Error(JSON.stringify(data));
    if (type === 'audio-stop') break;
    if (type !== 'audio-chunk' || payload.length === 0) continue;
    firstMs ||= performance.now() - start;
    sampleRate = data['rate'];
    audio.push(payload);
  }
  socket.destroy();
  const bytes = new Uint8Array(Buffer.concat(audio));
  const samples = new Int16Array(bytes.buffer, 0, bytes.length >> 1);
  const seconds = samples.length / sampleRate;
  return { firstMs, totalMs: performance.now() - start, seconds, samples, sampleRate };
}

/**
 * @param {net.Socket} socket
 * @returns {AsyncGenerator<{ type: string, data: Record<string, any>, payload: Buffer }>}
 */
async function* eventsOf(socket) {
  let bytes = Buffer.alloc(0);
  for await (const more of socket) {
    bytes = Buffer.concat([bytes, more]);
    for (;;) {
      const end = bytes.indexOf('\n');
      if (end < 0) break;
      const header = JSON.parse(bytes.toString('utf8', 0, end));
      const { data_length: dataLength = 0, payload_length: payloadLength = 0 } = header;
      const dataEnd = end + 1 + dataLength;
      if (bytes.length < dataEnd + payloadLength) break;
      const data = dataLength > 0 ? JSON.parse(bytes.toString('utf8', end + 1, dataEnd)) : header.data;
      yield { type: header.type, data, payload: bytes.subarray(dataEnd, dataEnd + payloadLength) };
      bytes = bytes.subarray(dataEnd + payloadLength);
    }
  }
}

/**
 * Waits until a program accepts connections.
 * @param {number} port
 */
export async function listening(port) {
  for (;;) {
    const socket = net.connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** @returns {Promise<number>} a free port */
export async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
