import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { recordingStore } from '../../../../nodes/output/urls/recording-store.js';
import type { AudioRecording } from '../../../../nodes/output/urls/recording.js';
import { sendRecording } from '../../../../nodes/output/urls/send-recording.js';
import { atSocketEnd } from '../../../../nodes/output/urls/serve-audio.js';
import { speechNode, withFlow } from '../../../support/node-red/flow.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { serving } from '../../../support/net/serve.js';
import { never, until } from '../../../support/waiting.js';

/** More than the buffers of a connection hold. */
const LARGE = Buffer.alloc(40_000_000, 7);
const STALL_MS = 300;

describe('a reply with audio', () => {
  const folder = useDataFolder();

  /** Runs `work` with the port of a server that sends a large recording with a short limit for players that do not read. */
  const sending = (work: (port: number, ends: () => readonly string[]) => Promise<void>) =>
    withFlow(
      [speechNode('text-to-speech', { account: '' })],
      async ({ RED }) => {
        const recording = await recorded();
        const ends: string[] = [];
        let started = 0;
        RED.httpNode.get('/stalling', (request, response) => {
          const reply = new AbortController();
          atSocketEnd(request.socket, () => reply.abort());
          started += 1;
          sendRecording(recording, request, response, reply.signal, { stallMs: STALL_MS }).then(
            () => ends.push('complete'),
            () => ends.push('failed'),
          );
        });
        await serving(RED.httpNode, (url) => work(Number(new URL(url).port), () => ends));
        // A reply that never ends would keep its file open.
        await until(() => ends.length === started);
      },
      { settings: { userDir: folder() } },
    );

  async function recorded(): Promise<AudioRecording> {
    const store = recordingStore(path.resolve(folder(), 'herald', 'audio'));
    await store.check(never);
    const recorder = await store.record('mp3', never);
    await recorder.append(LARGE);
    await recorder.finish(new Uint8Array());
    return (await store.find(recorder.name)) ?? assert.fail('no recording');
  }

  it('ends early if the player accepts no data, and closes the file', () =>
    sending(async (port, ends) => {
      let bytes = 0;
      const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
      socket.pause().write('GET /stalling HTTP/1.0\r\n\r\n');
      await until(() => ends().length > 0);
      assert.deepEqual(ends(), ['failed']);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('data', (data) => (bytes += data.length)).resume();
      await closed;
      assert.ok(bytes < LARGE.length, `${bytes} bytes`);
    }));

  it('ends early if the player accepts no end of a short reply', () =>
    sending(async (port, ends) => {
      const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
      const range = 'GET /stalling HTTP/1.1\r\nHost: x\r\nRange: bytes=0-14999\r\n\r\n';
      // More than the buffers of the connection hold. Each reply alone is smaller than a buffer.
      socket.pause().write(range.repeat(500));
      await until(() => ends().includes('failed'));
      socket.destroy();
    }));

  it('is complete if the player pauses for less than the limit, however often', () =>
    sending(async (port, ends) => {
      const socket = net.connect(port, '127.0.0.1');
      let bytes = 0;
      let nextPause = 0;
      socket.on('data', (data) => {
        bytes += data.length;
        if (bytes < nextPause) return;
        nextPause = bytes + LARGE.length / 8;
        socket.pause();
        setTimeout(() => socket.resume(), STALL_MS / 10);
      });
      socket.write('GET /stalling HTTP/1.0\r\n\r\n');
      await once(socket, 'close');
      await until(() => ends().length > 0);
      assert.deepEqual(ends(), ['complete']);
      assert.ok(bytes > LARGE.length);
    }));
});
