import { type Graph, operation, type Value } from './onnx.js';

/**
 * Faults of a stub voice.
 * - In the file: `truncated`, `garbage`, `html`, `empty`, `opset` (unknown), `operator` (missing).
 * - In the inputs and outputs: `no-scales`, `float-ids`, `extra-input`, `whole-numbers` (output of integers).
 * - In the audio: `zeros`, `nan`, `infinite`, `long` (10 minutes), `silent-length` (no samples).
 * - In the computation: `hang` (never ends), `memory` (needs 2.8 GB).
 */
export type Fault =
  | 'truncated'
  | 'garbage'
  | 'html'
  | 'empty'
  | 'opset'
  | 'operator'
  | 'no-scales'
  | 'float-ids'
  | 'extra-input'
  | 'whole-numbers'
  | 'zeros'
  | 'nan'
  | 'infinite'
  | 'long'
  | 'silent-length'
  | 'hang'
  | 'memory';

/** Id of the sentence's end, which every sentence has. */
const END = 2;
const TEN_MINUTES_OF_FRAMES = 51_680;

/** Returns the graph with a fault in its inputs, audio or computation. */
export function addFault(graph: Graph, fault: Fault | undefined): Graph {
  switch (fault) {
    case 'operator':
      return withOutput(graph, [operation('output', 'HeraldMissing', 'faultless')]);
    case 'no-scales':
      return withoutScales(graph);
    case 'float-ids':
      return withFloatIds(graph);
    case 'extra-input':
      return { ...graph, inputs: [...graph.inputs, { name: 'style', type: 'float32', shape: [1, 64] }] };
    case 'whole-numbers':
      return withWholeNumbers(graph);
    case 'zeros':
      return withOutput(graph, [operation('output', 'Mul', 'faultless nothing')]);
    case 'nan':
      return withOutput(graph, [
        operation('noNumber', 'Div', 'nothing nothing'),
        operation('output', 'Add', 'faultless noNumber'),
      ]);
    case 'infinite':
      return withOutput(graph, [operation('output', 'Div', 'faultless nothing')]);
    case 'long':
      return withFrames(graph, TEN_MINUTES_OF_FRAMES);
    case 'silent-length':
      return withOutput(graph, [operation('output', 'Slice', 'faultless zeros zeros last')], [['last', -1n]]);
    case 'hang':
      return withHang(graph);
    case 'memory':
      return withOutput(
        graph,
        [
          operation('huge', 'Expand', 'gain hugeShape'),
          operation('hugeSum', 'ReduceMax', 'huge', { keepdims: 0n }),
          operation('noSum', 'Mul', 'hugeSum nothing'),
          operation('output', 'Add', 'faultless noSum'),
        ],
        [['hugeShape', 700_000_000n]],
      );
    default:
      return graph;
  }
}

/** Returns the bytes of the file with a fault. */
export function damage(model: Buffer, fault: Fault | undefined): Buffer {
  switch (fault) {
    case 'truncated':
      return model.subarray(0, model.length / 2);
    case 'garbage':
      return Buffer.from(model.map((byte, place) => byte ^ ((place * 7 + 85) & 255)));
    case 'html':
      return Buffer.from('<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body></body></html>\n');
    case 'empty':
      return Buffer.alloc(0);
    default:
      return model;
  }
}

/** Renames the output of the last operation that writes `output` to `faultless`, and appends operations. */
function withOutput(
  graph: Graph,
  added: Graph['operations'],
  constants: readonly [string, bigint][] = [],
): Graph {
  const operations = graph.operations.map((operation) =>
    operation.outputs[0] === 'output' ? { ...operation, outputs: ['faultless'] } : operation,
  );
  const tensors = constants.map(([name, value]) => ({ name, shape: [1], values: BigInt64Array.of(value) }));
  return { ...graph, operations: [...operations, ...added], tensors: [...graph.tensors, ...tensors] };
}

const withInputs = (graph: Graph, change: (value: Value) => Value[]): Graph => ({
  ...graph,
  inputs: graph.inputs.flatMap(change),
});

function withoutScales(graph: Graph): Graph {
  const changed = withInputs(graph, (value) => (value.name === 'scales' ? [] : [value]));
  const scales = { name: 'scales', shape: [3], values: Float32Array.of(0.667, 1, 0.8) };
  return { ...changed, tensors: [...graph.tensors, scales] };
}

function withFloatIds(graph: Graph): Graph {
  const changed = withInputs(graph, (value) =>
    value.name === 'input' ? [{ ...value, type: 'float32' }] : [value],
  );
  const operations = graph.operations.map((operation) =>
    operation.outputs[0] === 'allIds' ? { ...operation, inputs: ['wholeInput', 'flat'] } : operation,
  );
  return { ...changed, operations: [operation('wholeInput', 'Cast', 'input', { to: 7n }), ...operations] };
}

function withWholeNumbers(graph: Graph): Graph {
  const changed = withOutput(graph, [operation('output', 'Cast', 'faultless', { to: 7n })]);
  const outputs = graph.outputs.map((value) =>
    value.name === 'output' ? { ...value, type: 'int64' as const } : value,
  );
  return { ...changed, outputs };
}

function withFrames(graph: Graph, count: number): Graph {
  const tensors = graph.tensors.map((tensor) => {
    if (tensor.name !== 'frameTable' || !(tensor.values instanceof Float32Array)) return tensor;
    return { ...tensor, values: tensor.values.map((frames, id) => (id === END ? count : frames)) };
  });
  return { ...graph, tensors };
}

/** A loop whose condition stays true. */
function withHang(graph: Graph): Graph {
  const body: Graph = {
    inputs: [
      { name: 'turn', type: 'int64', shape: [] },
      { name: 'isOn', type: 'bool', shape: [] },
      { name: 'before', type: 'float32', shape: [] },
    ],
    outputs: [
      { name: 'staysOn', type: 'bool', shape: [] },
      { name: 'after', type: 'float32', shape: [] },
    ],
    tensors: [],
    operations: [operation('staysOn', 'Identity', 'isOn'), operation('after', 'Sin', 'before')],
  };
  return withOutput(graph, [
    operation('isTrue', 'Equal', 'zero zero'),
    { type: 'Loop', inputs: ['', 'isTrue', 'nothing'], outputs: ['never'], attributes: { body } },
    operation('output', 'Add', 'faultless never'),
  ]);
}
