import {
  bytesField,
  type WireField,
  eachField,
  numberField,
  numbersOfField,
  orUndefined,
  ProtobufError,
  textField,
  textOfField,
} from './protobuf.js';

/*
 * Reads the graph of an ONNX model. `onnx.proto3` defines the number of each field
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3).
 */

const MODEL = { graph: 7 };
export const GRAPH = { node: 1, name: 2, tensor: 5, input: 11, output: 12, value: 13, sparseTensor: 15 };
const NODE = { input: 1, output: 2, name: 3, type: 4, attribute: 5 };
export const TENSOR = { dimension: 1, type: 2, name: 8, raw: 9 };
const VALUE = { name: 1, type: 2 };
/** The type of a value that is a tensor, and of its elements. */
const TYPE = { tensor: 1, element: 1 };
export const FLOAT = 1;

/** An operation of a graph. */
export interface GraphNode {
  type: string;
  name: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: readonly WireField[];
  field: WireField;
}

/** The graph of a model. Its fields are places in the bytes of the model. */
export interface Graph {
  bytes: Uint8Array;
  /** The fields of the model without the graph. */
  others: readonly WireField[];
  /** The fields of the graph. */
  fields: readonly WireField[];
  nodes: readonly GraphNode[];
  /** Constant tensors, inputs and outputs by name. */
  tensors: ReadonlyMap<string, WireField>;
  inputs: ReadonlyMap<string, WireField>;
  outputs: ReadonlyMap<string, WireField>;
  /** Whether the graph has a list that this module does not read. */
  hasMore: boolean;
}

/** Parts of a graph, and parts of all its nodes. A Piper voice has about 3,000 nodes with 20 parts each. More would only fill the memory. */
const MAX_PARTS = 200_000;

/** Returns the graph of a model, or undefined if the bytes are not a model with one graph of usual size. */
export const readGraph = (bytes: Uint8Array): Graph | undefined =>
  orUndefined(() => {
    const fields = fieldsNumbered(bytes);
    const [graph, ...more] = fields.filter(({ number }) => number === MODEL.graph);
    if (graph === undefined || more.length > 0) return undefined;
    return { bytes, others: fields.filter((field) => field !== graph), ...partsOf(bytes, graph) };
  });

function partsOf(bytes: Uint8Array, graph: WireField): Omit<Graph, 'bytes' | 'others'> {
  const fields = fieldsNumbered(bytes, graph);
  const fieldsWith = (wanted: number) => fields.filter(({ number }) => number === wanted);
  const named = (wanted: number, name: number) =>
    new Map(fieldsWith(wanted).map((field) => [nameOf(bytes, field, name), field]));
  return {
    fields,
    nodes: nodesOf(bytes, fieldsWith(GRAPH.node)),
    tensors: named(GRAPH.tensor, TENSOR.name),
    inputs: named(GRAPH.input, VALUE.name),
    outputs: named(GRAPH.output, VALUE.name),
    hasMore: fieldsWith(GRAPH.sparseTensor).length > 0,
  };
}

/** Returns the fields of a message, or of a field with a message. */
export function fieldsNumbered(bytes: Uint8Array, field?: WireField, limit = MAX_PARTS): WireField[] {
  const fields: WireField[] = [];
  for (const part of eachField(bytes, field?.from, field?.end)) {
    if (fields.length === limit) throw new ProtobufError(`a message has more than ${limit} fields`);
    fields.push(part);
  }
  return fields;
}

/** A tensor of a voice has up to three dimensions. More parts than these would only fill the memory. */
const MAX_TENSOR_PARTS = 4096;

/** Returns the dimensions of a tensor. @throws ProtobufError */
export const dimensionsOf = (bytes: Uint8Array, tensor: WireField): number[] =>
  fieldsNumbered(bytes, tensor, MAX_TENSOR_PARTS)
    .filter(({ number }) => number === TENSOR.dimension)
    .flatMap((field) => numbersOfField(bytes, field));

function nameOf(bytes: Uint8Array, field: WireField, number: number): string {
  for (const part of eachField(bytes, field.from, field.end))
    if (part.number === number) return textOfField(bytes, part);
  return '';
}

function nodesOf(bytes: Uint8Array, fields: readonly WireField[]): GraphNode[] {
  let left = MAX_PARTS;
  return fields.map((field) => {
    const parts = fieldsNumbered(bytes, field, left);
    left -= parts.length;
    return nodeOf(bytes, field, parts);
  });
}

function nodeOf(bytes: Uint8Array, field: WireField, parts: readonly WireField[]): GraphNode {
  const fieldsWith = (wanted: number) => parts.filter(({ number }) => number === wanted);
  const texts = (wanted: number) => fieldsWith(wanted).map((part) => textOfField(bytes, part));
  return {
    type: texts(NODE.type).join(''),
    name: texts(NODE.name).join(''),
    inputs: texts(NODE.input),
    outputs: texts(NODE.output),
    attributes: fieldsWith(NODE.attribute),
    field,
  };
}

/**
 * Returns the name of the tensor with the frames of each id: the result of the only operation `Ceil`, because a Piper voice rounds
 * lengths up to whole frames. Undefined for other graphs.
 */
export function framesName({ nodes }: Graph): string | undefined {
  const [only, ...more] = nodes.filter(({ type }) => type === 'Ceil');
  return more.length === 0 ? only?.outputs[0] : undefined;
}

/** Returns a model of the whole graph with further outputs. Its inputs have no shapes, see `inputOf`. */
export function wholeModel(graph: Graph, outputs: readonly string[]): Buffer {
  const kept = graph.fields.filter(({ number }) => number !== GRAPH.input && number !== GRAPH.value);
  const parts = kept.map((field) => copyOf(graph, field));
  return modelOf(graph, parts, [...graph.inputs.keys()], outputs);
}

/** Returns a model with parts of a graph. */
export function modelOf(
  graph: Graph,
  parts: readonly Uint8Array[],
  inputs: readonly string[],
  outputs: readonly string[],
): Buffer {
  return Buffer.concat([
    ...graph.others.map((field) => copyOf(graph, field)),
    bytesField(
      MODEL.graph,
      ...parts,
      ...inputs.map((name) => inputOf(graph, name)),
      ...outputs.map((name) => outputOf(graph, name)),
    ),
  ]);
}

export const copyOf = ({ bytes }: Graph, { start, end }: WireField): Uint8Array => bytes.subarray(start, end);

/**
 * Returns an input without its shape. ONNX Runtime would derive the shapes of all tensors from it and compare them with each other,
 * which takes three quarters of the time to load a model. An input that the graph does not declare has the type float32.
 */
function inputOf({ bytes, inputs }: Graph, name: string): Uint8Array {
  const declared = inputs.get(name);
  const type = declared === undefined ? FLOAT : elementType(bytes, declared);
  if (type === undefined && declared !== undefined) return bytes.subarray(declared.start, declared.end);
  const tensor = bytesField(TYPE.tensor, numberField(TYPE.element, type ?? FLOAT));
  return bytesField(GRAPH.input, textField(VALUE.name, name), bytesField(VALUE.type, tensor));
}

/** Returns the number of the type of a tensor's elements, or undefined for a value that is no tensor. */
function elementType(bytes: Uint8Array, value: WireField): number | undefined {
  const within = (field: WireField | undefined, wanted: number) =>
    field && fieldsNumbered(bytes, field).find(({ number }) => number === wanted);
  const type = within(within(within(value, VALUE.type), TYPE.tensor), TYPE.element);
  return type && numbersOfField(bytes, type)[0];
}

function outputOf(graph: Graph, name: string): Uint8Array {
  const declared = graph.outputs.get(name);
  return declared === undefined
    ? bytesField(GRAPH.output, textField(VALUE.name, name))
    : copyOf(graph, declared);
}
