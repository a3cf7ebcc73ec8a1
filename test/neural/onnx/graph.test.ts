import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cutVoice } from '../../../neural/onnx/decoder.js';
import { fieldsNumbered, readGraph, wholeModel } from '../../../neural/onnx/graph.js';
import { bytesField, type WireField, numberField, textField } from '../../../neural/onnx/protobuf.js';
import { symbolLengths } from '../../../neural/onnx/symbols.js';
import { modelOf, PHONEME_IDS, type StubVoice } from '../../support/natural/stub-voice.js';

const MODEL = modelOf({ name: 'de_DE-stub-medium' });
const CUTTABLE = modelOf({ name: 'de_DE-stub-medium', decoder: 'windows', untrained: ['ʏ'] });
const GRAPH = 7;

/** Returns the names of the inputs whose type, a tensor, has a shape. */
function inputsWithShape(bytes: Buffer): string[] {
  const { inputs } = readGraph(bytes) ?? assert.fail('no graph');
  const within = (field: WireField, number: number) =>
    fieldsNumbered(bytes, field).find((part) => part.number === number) ?? assert.fail(`no field ${number}`);
  return [...inputs].flatMap(([name, input]) => {
    const shape = fieldsNumbered(bytes, within(within(input, 2), 1)).filter(({ number }) => number === 2);
    return shape.map(() => name);
  });
}

describe('the graph of a model file', () => {
  it('is loaded without the shapes of its inputs, which the runtime would follow through all tensors for a second', () => {
    const whole = readGraph(MODEL) ?? assert.fail('no graph');
    const parts = cutVoice(readGraph(CUTTABLE) ?? assert.fail('no graph')) ?? assert.fail('no decoder');
    assert.deepEqual(inputsWithShape(MODEL), ['input', 'input_lengths', 'scales']);
    for (const model of [wholeModel(whole, []), parts.encoder, parts.decoder])
      assert.deepEqual(inputsWithShape(model), []);
  });

  it('is not read from a file that ends early, at any place', () => {
    for (let length = 0; length < MODEL.length; length += 7)
      assert.equal(readGraph(MODEL.subarray(0, length))?.outputs.size ?? 0, 0, `${length} bytes`);
  });

  it('is not read from bytes that are no model, and no bytes make it throw', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readGraph(bytes)));
    const place = fc.nat(CUTTABLE.length - 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 5 }), (changes) => {
        const damaged = Buffer.from(CUTTABLE);
        for (const [at, byte] of changes) damaged[at] = byte;
        const graph = readGraph(damaged);
        if (graph === undefined) return;
        cutVoice(graph);
        symbolLengths(graph);
      }),
    );
  });

  it('tells the length of the vector of each symbol', () => {
    const lengths =
      symbolLengths(readGraph(CUTTABLE) ?? assert.fail('no graph')) ?? assert.fail('no vectors');
    const lengthOf = (symbol: string) => lengths[PHONEME_IDS[symbol]?.[0] ?? -1] ?? 0;
    assert.equal(lengths.length, Object.keys(PHONEME_IDS).length + 40);
    assert.ok(lengthOf('ʏ') < 0.5 && lengthOf('y') > 0.5);
    assert.equal(symbolLengths(readGraph(MODEL) ?? assert.fail('no graph')), undefined);
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

  it('gives a decoder the frames around each window that change its samples', () => {
    const graph = readGraph(CUTTABLE) ?? assert.fail('no graph');
    const { overlap, hop } = cutVoice(graph) ?? assert.fail('no decoder');
    // 1 frame of the first convolution, 95 of 64 places of the next one, 3 of 256 and 36 of 256 samples.
    assert.deepEqual([overlap, hop], [Math.ceil(1 + 95 / 64 + 3 / 256 + 36 / 256), 256]);
  });

  it('is not cut if the decoder needs the speaker, has an unknown operation, or is missing', () => {
    const isCut = (voice: Partial<StubVoice>) => {
      const graph = readGraph(modelOf({ name: 'de_DE-stub-medium', ...voice })) ?? assert.fail('no graph');
      return cutVoice(graph) !== undefined;
    };
    assert.ok(isCut({ decoder: 'windows' }));
    assert.ok(!isCut({ decoder: 'windows', speakers: ['a', 'b'] }));
    assert.ok(!isCut({ decoder: 'windows', withCeil: false }));
    assert.ok(!isCut({ decoder: 'windows', withDurations: true }));
    assert.ok(!isCut({ decoder: 'whole' }));
    assert.ok(!isCut({}));
  });
});
