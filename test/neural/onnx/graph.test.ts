import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { framesName, readGraph, withOutput } from '../../../neural/onnx/graph.js';
import { bytesField, numberField, textField } from '../../../neural/onnx/protobuf.js';
import { modelOf } from '../../support/natural/stub-voice.js';

const MODEL = modelOf({ name: 'de_DE-stub-medium' });
const GRAPH = 7;

describe('the graph of a model file', () => {
  it('gets one more output without a change of its other bytes', () => {
    const graph = readGraph(MODEL) ?? assert.fail('no graph');
    const name = framesName(graph) ?? assert.fail('no frames');
    const more = withOutput(graph, name);
    assert.deepEqual(more.subarray(0, MODEL.length), MODEL);
    assert.ok(more.length <= MODEL.length + name.length + 6);
  });

  it('is not read from a file that ends early, at any place', () => {
    for (let length = 0; length < MODEL.length; length += 7)
      assert.equal(readGraph(MODEL.subarray(0, length))?.outputs.size ?? 0, 0, `${length} bytes`);
  });

  it('is not read from bytes that are no model, and no bytes make it throw', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readGraph(bytes)));
    const place = fc.nat(MODEL.length - 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 5 }), (changes) => {
        const damaged = Buffer.from(MODEL);
        for (const [at, byte] of changes) damaged[at] = byte;
        const graph = readGraph(damaged);
        if (graph !== undefined) framesName(graph);
      }),
    );
  });

  it('is not read if a length goes beyond the file, or a number has no end', () => {
    const huge = Buffer.from([GRAPH * 8 + 2, 255, 255, 255, 255, 255, 255, 255, 127]);
    const endless = Buffer.from([GRAPH * 8 + 2, ...Buffer.alloc(20, 255)]);
    const group = Buffer.from([GRAPH * 8 + 3]);
    const zero = Buffer.from([2, 0]);
    for (const bytes of [huge, endless, group, zero]) assert.equal(readGraph(bytes), undefined);
  });

  it('is not read if it has more parts than any voice, or is not the only graph', () => {
    const many = Buffer.alloc(600_000, Buffer.from([8, 0]));
    assert.equal(readGraph(bytesField(GRAPH, many)), undefined);
    assert.equal(readGraph(many), undefined);
    const node = bytesField(1, Buffer.alloc(6000, Buffer.from([42, 0])));
    assert.equal(readGraph(bytesField(GRAPH, ...Array.from({ length: 100 }, () => node))), undefined);
    assert.equal(readGraph(Buffer.concat([MODEL, bytesField(GRAPH, textField(2, 'second'))])), undefined);
    assert.equal(readGraph(numberField(1, 8)), undefined);
  });
});
