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

/** Returns the bytes of a model. */
export const onnxModel = (graph: Graph, opset = 15): Buffer =>
  Buffer.concat([
    integer(1, IR_VERSION),
    text(2, 'herald-tests'),
    bytes(7, graphOf(graph)),
    bytes(8, integer(2, opset)),
  ]);

const graphOf = ({ inputs, outputs, tensors, operations }: Graph): Buffer =>
  Buffer.concat([
    ...operations.map((operation) => bytes(1, nodeOf(operation))),
    text(2, 'voice'),
    ...tensors.map((tensor) => bytes(5, tensorOf(tensor))),
    ...inputs.map((value) => bytes(11, valueOf(value))),
    ...outputs.map((value) => bytes(12, valueOf(value))),
  ]);

const nodeOf = ({ type, inputs, outputs, attributes = {} }: Operation): Buffer =>
  Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(3, outputs.join()),
    text(4, type),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attributeOf(name, value))),
  ]);

function attributeOf(name: string, value: Attribute): Buffer {
  if (typeof value === 'bigint') return Buffer.concat([text(1, name), integer(3, value), integer(20, 2)]);
  if ('operations' in value) return Buffer.concat([text(1, name), bytes(6, graphOf(value)), integer(20, 5)]);
  return Buffer.concat([text(1, name), ...value.map((item) => integer(8, item)), integer(20, 7)]);
}

const tensorOf = ({ name, shape, values }: Tensor): Buffer =>
  Buffer.concat([
    ...shape.map((size) => integer(1, size)),
    integer(2, values instanceof Float32Array ? ELEMENTS.float32 : ELEMENTS.int64),
    text(8, name),
    bytes(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
  ]);

function valueOf({ name, type, shape }: Value): Buffer {
  const sizes = shape.map((size) => bytes(1, typeof size === 'number' ? integer(1, size) : text(2, size)));
  const tensor = Buffer.concat([integer(1, ELEMENTS[type]), bytes(2, Buffer.concat(sizes))]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensor))]);
}

const integer = (field: number, value: number | bigint): Buffer =>
  Buffer.concat([varint(field * 8), varint(value)]);

const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value));

const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);

/** A negative number has ten bytes. */
function varint(value: number | bigint): Buffer {
  const groups: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) groups.push(Number(rest & 127n) | 128);
  return Buffer.from([...groups, Number(rest)]);
}
