/*
 * Writes small ONNX models (https://onnx.ai/onnx/repo-docs/IR.html). `onnx.proto3` defines the number of each field.
 */

type Shape = readonly (number | string)[];

export interface Tensor {
  name: string;
  shape: readonly number[];
  values: Float32Array | BigInt64Array;
}

/** An integer, a list of integers or a graph. */
type Attribute = bigint | readonly bigint[] | Graph;

export interface Operation {
  type: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, Attribute>>;
}

/** Returns an operation with one output. `inputs` are names with spaces between. */
export const operation = (
  output: string,
  type: string,
  inputs: string,
  attributes: Operation['attributes'] = {},
): Operation => ({ type, inputs: inputs.split(' '), outputs: [output], attributes });

/** An input or output. A name in the shape is a dimension of any size. */
export interface Value {
  name: string;
  type: 'float32' | 'int64' | 'bool';
  shape: Shape;
}

export interface Graph {
  inputs: readonly Value[];
  outputs: readonly Value[];
  tensors: readonly Tensor[];
  operations: readonly Operation[];
}

const ELEMENTS = { float32: 1, int64: 7, bool: 9 };
const IR_VERSION = 8;

/** Bytes in pieces: large weights are copied once, when the model is whole. */
type Pieces = readonly Buffer[];

const lengthOf = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** Returns the bytes of a model. */
export const onnxModel = (graph: Graph, opset = 15): Buffer =>
  Buffer.concat(
    [
      integer(1, IR_VERSION),
      text(2, 'herald-tests'),
      bytes(7, graphOf(graph)),
      bytes(8, integer(2, opset)),
    ].flat(),
  );

const graphOf = ({ inputs, outputs, tensors, operations }: Graph): Pieces =>
  [
    ...operations.map((operation) => bytes(1, nodeOf(operation))),
    text(2, 'voice'),
    ...tensors.map((tensor) => bytes(5, tensorOf(tensor))),
    ...inputs.map((value) => bytes(11, valueOf(value))),
    ...outputs.map((value) => bytes(12, valueOf(value))),
  ].flat();

const nodeOf = ({ type, inputs, outputs, attributes = {} }: Operation): Pieces =>
  [
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(3, outputs.join()),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attributeOf(name, value))),
  ].flat();

function attributeOf(name: string, value: Attribute): Pieces {
  if (typeof value === 'bigint') return [text(1, name), integer(3, value), integer(20, 2)].flat();
  if ('operations' in value) return [text(1, name), bytes(6, graphOf(value)), integer(20, 5)].flat();
  return [text(1, name), ...value.map((item) => integer(8, item)), integer(20, 7)].flat();
}

const tensorOf = ({ name, shape, values }: Tensor): Pieces =>
  [
    ...shape.map((size) => integer(1, size)),
    integer(2, values instanceof Float32Array ? ELEMENTS.float32 : ELEMENTS.int64),
    text(8, name),
    bytes(9, [Buffer.from(values.buffer, values.byteOffset, values.byteLength)]),
  ].flat();

function valueOf({ name, type, shape }: Value): Pieces {
  const sizes = shape.map((size) => bytes(1, typeof size === 'number' ? integer(1, size) : text(2, size)));
  const tensor = [integer(1, ELEMENTS[type]), bytes(2, sizes.flat())].flat();
  return [text(1, name), bytes(2, bytes(1, tensor))].flat();
}

const integer = (field: number, value: number | bigint): Pieces => [varint(field * 8), varint(value)];

const text = (field: number, value: string): Pieces => bytes(field, [Buffer.from(value)]);

const bytes = (field: number, content: Pieces): Pieces => [
  varint(field * 8 + 2),
  varint(lengthOf(content)),
  ...content,
];

/** A negative number has ten bytes. */
function varint(value: number | bigint): Buffer {
  const groups: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) groups.push(Number(rest & 127n) | 128);
  return Buffer.from([...groups, Number(rest)]);
}
