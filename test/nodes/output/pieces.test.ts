import assert from 'node:assert/strict';
import { parseWav } from '@herald-speech/client';
import { type Delivered, checkDestination } from '../../../nodes/output/destination.js';
import type { RenderedAudio } from '../../../nodes/output/rendered-audio.js';
import { collect } from '../../../nodes/output/to-buffer.js';
import { type Flow, withFlow } from '../../support/node-red/flow.js';
import { headerOf, speaking } from './speaking.js';
import { never } from '../../support/waiting.js';

const THREE = [Buffer.alloc(10, 1), Buffer.alloc(20, 2), Buffer.alloc(30, 3)];

async function* partsOf(data: readonly Uint8Array[], count: number) {
  for (const [index, bytes] of data.entries()) {
    yield { piece: { count, text: `piece ${index}` }, data: bytes, start: index, duration: 1 };
  }
}

const wavOf = (
  data: readonly Uint8Array[],
  count = data.length,
): RenderedAudio<{ count: number; text: string }> => ({
  extension: 'wav',
  parts: partsOf(data, count),
  header: headerOf,
  trailer: (bytes) => new Uint8Array(bytes % 2),
});

async function deliver(flow: Flow, destination: object, data = THREE, count = data.length) {
  const delivery = await checkDestination(flow.RED, { output: 'pieces', ...destination }, () => ({}), never);
  assert.equal(delivery.separate, true);
  const files = data.map((samples) => Buffer.concat([headerOf(samples.length), samples]));
  return delivery.deliver({ extension: 'wav', parts: partsOf(files, count) });
}

async function resultsOf<Piece>(results: AsyncIterable<Delivered<Piece>>): Promise<Delivered<Piece>[]> {
  const all: Delivered<Piece>[] = [];
  for await (const result of results) all.push(result);
  return all;
}

describe('audio in pieces', () => {
  it('is one complete file per piece, with its text and time, and the last one is marked', () =>
    withFlow([], async (flow) => {
      const results = await resultsOf(await deliver(flow, {}));
      for (const [index, { payload, part, isLast }] of results.entries()) {
        const { data, streaming } = parseWav(Buffer.from(payload));
        assert.deepEqual([Buffer.from(data), streaming], [THREE[index], false]);
        assert.deepEqual([part?.piece.text, part?.start, part?.duration], [`piece ${index}`, index, 1]);
        assert.equal(isLast, index === 2);
      }
      assert.equal(new Set(results.map(({ parts }) => parts?.id)).size, 1);
      const other = await resultsOf(await deliver(flow, {}));
      assert.notEqual(other[0]?.parts?.id, results[0]?.parts?.id);
    }));

  it('is delivered without a wait for the next piece', () =>
    withFlow([], async (flow) => {
      const delivery = await checkDestination(flow.RED, { output: 'pieces' }, () => ({}), never);
      const speech = speaking(2);
      const results = delivery.deliver(speech.rendering);
      void speech.add(THREE[0] ?? Buffer.alloc(0));
      assert.equal((await results.next()).done, false);
      void speech.add(THREE[1] ?? Buffer.alloc(0));
      speech.end();
      assert.equal((await results.next()).value?.isLast, true);
      assert.equal((await results.next()).done, true);
    }));

  it('counts repetitions', () =>
    withFlow([], async (flow) => {
      const results = await resultsOf(await deliver(flow, { repeat: 2 }, [...THREE, ...THREE], 3));
      assert.deepEqual(
        results.map(({ parts, isLast }) => [parts?.index, parts?.count, isLast]),
        Array.from({ length: 6 }, (_, index) => [index, 6, index === 5]),
      );
    }));

  it('is joined to an array by the join node in automatic mode, with and without msg.complete', () =>
    withFlow([{ id: 'join', type: 'join', mode: 'auto', wires: [['joined']] }], async (flow) => {
      for (const isMarked of [true, false]) {
        for await (const { payload, parts, isLast } of await deliver(flow, {})) {
          flow.send('join', { payload, parts, ...(isMarked && isLast && { complete: true }) });
        }
        const { payload, ...message } = await flow.out('joined');
        assert.ok(Array.isArray(payload));
        assert.deepEqual(
          payload.map((file) => parseWav(file).data.length),
          [10, 20, 30],
        );
        assert.ok(!('parts' in message) && !('complete' in message));
      }
      assert.equal(flow.received('joined').length, 2);
    }));
});

describe('audio in a Buffer', () => {
  it('is a complete file with a pad byte after audio of an odd length', async () => {
    const file = await collect(wavOf([Buffer.alloc(3), Buffer.alloc(4)]));
    assert.equal(file.length, 44 + 8);
    assert.equal(file.readUInt32LE(40), 7);
  });

  it('fails above its limit, and the error names the limit and the other outputs', async () => {
    let pulled = 0;
    async function* endless() {
      for (; ; pulled += 1) {
        yield { piece: { count: 9, text: '' }, data: Buffer.alloc(40), start: 0, duration: 1 };
      }
    }
    await assert.rejects(collect({ ...wavOf([]), parts: endless() }, 100), {
      code: 'too-large',
      route: 'fatal',
      message:
        'the audio has more than 100 bytes, the limit of the output buffer: choose the output file or URL',
    });
    assert.equal(pulled, 2);
  });
});
