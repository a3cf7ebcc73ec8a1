import { bytesField, type Field, fieldsOf, numbersOf, ProtobufError, textField, textOf } from './protobuf.js';

/*
 * Reads the graph of an ONNX model. `onnx.proto3` defines the number of each field
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3).
 */

export const MODEL = { graph: 7 };
export const GRAPH = { node: 1, name: 2, tensor: 5, input: 11, output: 12, sparseTensor: 15 };
const NODE = { input: 1, output: 2, name: 3, type: 4, attribute: 5 };
export const TENSOR = { dimension: 1, type: 2, name: 8, raw: 9 };
export const VALUE = { name: 1 };

/** An operation of a graph. */
export interface GraphNode {
  type: string;
  name: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: readonly Field[];
  field: Field;
}

/** The graph of a model. Its fields are places in the bytes of the model. */
export interface Graph {
  bytes: Uint8Array;
  /** The fields of the model without the graph. */
  others: readonly Field[];
  nodes: readonly GraphNode[];
  /** Constant tensors, inputs and outputs by name. */
  tensors: ReadonlyMap<string, Field>;
  inputs: ReadonlyMap<string, Field>;
  outputs: ReadonlyMap<string, Field>;
  /** Whether the graph has a list that this module does not read. */
  hasMore: boolean;
}

/** Parts of a graph, and parts of all its nodes. A Piper voice has about 3,000 nodes with 20 parts each. More would only fill the memory. */
const MAX_PARTS = 200_000;

/** Returns the graph of a model, or undefined if the bytes are not a model with one graph of usual size. */
export function readGraph(bytes: Uint8Array): Graph | undefined {
  try {
    const fields = listOf(bytes);
    const [graph, ...more] = fields.filter(({ number }) => number === MODEL.graph);
    if (graph === undefined || more.length > 0) return undefined;
    return { bytes, others: fields.filter((field) => field !== graph), ...partsOf(bytes, graph) };
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}

function partsOf(bytes: Uint8Array, graph: Field): Omit<Graph, 'bytes' | 'others'> {
  const fields = listOf(bytes, graph);
  const fieldsWith = (wanted: number) => fields.filter(({ number }) => number === wanted);
  const named = (wanted: number, name: number) =>
    new Map(fieldsWith(wanted).map((field) => [nameOf(bytes, field, name), field]));
  return {
    nodes: nodesOf(bytes, fieldsWith(GRAPH.node)),
    tensors: named(GRAPH.tensor, TENSOR.name),
    inputs: named(GRAPH.input, VALUE.name),
    outputs: named(GRAPH.output, VALUE.name),
    hasMore: fieldsWith(GRAPH.sparseTensor).length > 0,
  };
}

/** Returns the fields of a message, or of a field with a message. */
export function listOf(bytes: Uint8Array, field?: Field, limit = MAX_PARTS): Field[] {
  const fields: Field[] = [];
  for (const part of fieldsOf(bytes, field?.from, field?.end)) {
    if (fields.length === limit) throw new ProtobufError(`a message has more than ${limit} fields`);
    fields.push(part);
  }
  return fields;
}

/** A tensor of a voice has up to three dimensions. More parts than these would only fill the memory. */
const MAX_TENSOR_PARTS = 4096;

/** Returns the dimensions of a tensor. @throws ProtobufError */
export const dimensionsOf = (bytes: Uint8Array, tensor: Field): number[] =>
  listOf(bytes, tensor, MAX_TENSOR_PARTS)
    .filter(({ number }) => number === TENSOR.dimension)
    .flatMap((field) => numbersOf(bytes, field));

function nameOf(bytes: Uint8Array, field: Field, number: number): string {
  for (const part of fieldsOf(bytes, field.from, field.end))
    if (part.number === number) return textOf(bytes, part);
  return '';
}

function nodesOf(bytes: Uint8Array, fields: readonly Field[]): GraphNode[] {
  let left = MAX_PARTS;
  return fields.map((field) => {
    const parts = listOf(bytes, field, left);
    left -= parts.length;
    return nodeOf(bytes, field, parts);
  });
}

function nodeOf(bytes: Uint8Array, field: Field, parts: readonly Field[]): GraphNode {
  const fieldsWith = (wanted: number) => parts.filter(({ number }) => number === wanted);
  const texts = (wanted: number) => fieldsWith(wanted).map((part) => textOf(bytes, part));
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

/**
 * Returns the model with a tensor as a further output. A second graph after the first one is merged with it, so the bytes of the
 * model stay as they are.
 */
export const withOutput = ({ bytes }: Graph, name: string): Buffer =>
  Buffer.concat([bytes, bytesField(MODEL.graph, bytesField(GRAPH.output, textField(VALUE.name, name)))]);
