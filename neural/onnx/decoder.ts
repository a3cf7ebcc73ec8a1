import {
  copyOf,
  dimensionsOf,
  fieldsNumbered,
  framesName,
  type Graph,
  GRAPH,
  type GraphNode,
  modelOf,
} from './graph.js';
import { numbersOfField, orUndefined, textField, textOfField, type WireField } from './protobuf.js';

/** A Piper voice in two parts. */
export interface CutVoice {
  /** From the inputs of the voice to the input of its decoder and the frames of each id. */
  encoder: Buffer;
  /** From frames to samples. */
  decoder: Buffer;
  /** Frames on each side that change the samples of a frame. */
  overlap: number;
  /** Samples of a frame. */
  hop: number;
}

/** The first weights of the decoder in each export of a Piper voice. */
const FIRST_WEIGHTS = 'dec.conv_pre.weight';
/** Bounds of a decoder. Voices have up to 15 and 512. */
const MAX_OVERLAP = 64;
const MAX_HOP = 4096;

/**
 * Cuts a voice before its decoder. Undefined if the decoder needs more than the frames, such as the speaker, or has an operation whose
 * reach in time is unknown.
 */
export const cutVoice = (graph: Graph): CutVoice | undefined => orUndefined(() => cut(graph));

function cut(graph: Graph): CutVoice | undefined {
  const [first, ...others] = graph.nodes.filter(
    ({ type, inputs }) => type === 'Conv' && inputs[1] === FIRST_WEIGHTS,
  );
  const [start, frames, output] = [first?.inputs[0], framesName(graph), [...graph.outputs.keys()]];
  const [end] = output;
  if (start === undefined || frames === undefined || end === undefined) return undefined;
  if (others.length > 0 || output.length > 1 || graph.hasMore || hasSubgraphs(graph)) return undefined;
  const field = fieldOf(graph, reachOf(graph, [start], [end]), start, end);
  if (field === undefined || field.rate > MAX_HOP || field.radius > MAX_OVERLAP) return undefined;
  return {
    encoder: cutGraph(graph, [...graph.inputs.keys()], [start, frames]),
    decoder: cutGraph(graph, [start], [end]),
    overlap: Math.ceil(field.radius),
    hop: field.rate,
  };
}

/** The part of a graph that some tensors need. */
interface Reach {
  nodes: ReadonlySet<GraphNode>;
  /** Names of all tensors of the part, with its start and end. */
  names: ReadonlySet<string>;
}

/** Returns the part of a graph between some tensors. */
function reachOf({ nodes }: Graph, inputs: readonly string[], outputs: readonly string[]): Reach {
  const sources = new Map(nodes.flatMap((node) => node.outputs.map((output) => [output, node])));
  const used = new Set<GraphNode>();
  const names = new Set<string>();
  const open = [...outputs];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (names.has(name)) continue;
    names.add(name);
    const source = inputs.includes(name) ? undefined : sources.get(name);
    if (source === undefined || used.has(source)) continue;
    used.add(source);
    open.push(...source.inputs);
  }
  return { nodes: used, names };
}

/** Returns a model of a part of the graph. */
function cutGraph(graph: Graph, inputs: readonly string[], outputs: readonly string[]): Buffer {
  const { nodes, names } = reachOf(graph, inputs, outputs);
  const operations = graph.nodes.filter((node) => nodes.has(node)).map(({ field }) => field);
  const tensors = [...graph.tensors].filter(([name]) => names.has(name)).map(([, field]) => field);
  const parts = [...operations, ...tensors].map((field) => copyOf(graph, field));
  return modelOf(graph, [...parts, textField(GRAPH.name, 'part')], inputs, outputs);
}

/** Attributes with a graph or graphs, which may use any tensor of the graph around them. */
const SUBGRAPHS = [6, 11];

function hasSubgraphs({ bytes, nodes }: Graph): boolean {
  return nodes.some(({ attributes }) =>
    attributes.some((attribute) =>
      fieldsNumbered(bytes, attribute).some(({ number }) => SUBGRAPHS.includes(number)),
    ),
  );
}

/** Samples of a tensor for each frame, and the frames on each side on which one of its samples depends. */
interface TimeField {
  rate: number;
  radius: number;
}

/** Operations that compute each sample from the same sample of their inputs. */
const POINTWISE = new Set(
  ['LeakyRelu', 'Relu', 'Elu', 'Tanh', 'Sigmoid', 'Sin', 'Identity'].concat(
    ['Add', 'Sub', 'Mul', 'Div', 'Sum', 'Pow'], // with other tensors of the same rate or with constants
  ),
);
/** Operations that only change the shape of the result. */
const SHAPING = new Set(['Unsqueeze', 'Squeeze', 'Reshape']);

/** Follows the operations of a decoder, which are in the order of their computation. */
function fieldOf(graph: Graph, { nodes, names }: Reach, start: string, end: string): TimeField | undefined {
  const isInput = (name: string) => graph.inputs.has(name) && !graph.tensors.has(name);
  if ([...names].some(isInput)) return undefined;
  const fields = new Map<string, TimeField>([[start, { rate: 1, radius: 0 }]]);
  for (const node of graph.nodes) {
    if (!nodes.has(node) || node.type === 'Constant') continue;
    const [output, ...more] = node.outputs;
    const field = output === undefined || more.length > 0 ? undefined : nextField(graph, node, fields, end);
    if (field === undefined || output === undefined) return undefined;
    fields.set(output, field);
  }
  return fields.get(end);
}

function nextField(
  graph: Graph,
  node: GraphNode,
  fields: ReadonlyMap<string, TimeField>,
  end: string,
): TimeField | undefined {
  const [first, ...rest] = node.inputs.flatMap((name) => fields.get(name) ?? []);
  if (first === undefined || rest.some(({ rate }) => rate !== first.rate)) return undefined;
  const radius = Math.max(first.radius, ...rest.map((other) => other.radius));
  if (POINTWISE.has(node.type)) return { rate: first.rate, radius };
  if (SHAPING.has(node.type)) return node.outputs[0] === end ? first : undefined;
  const isFilter = rest.length === 0 && fields.has(node.inputs[0] ?? '');
  if (isFilter && node.type === 'Conv') return convolved(graph, node, first);
  return isFilter && node.type === 'ConvTranspose' ? upsampled(graph, node, first) : undefined;
}

/** A convolution that keeps the number of samples. */
function convolved(graph: Graph, node: GraphNode, { rate, radius }: TimeField): TimeField | undefined {
  const settings = filterOf(graph, node);
  if (settings === undefined || settings.stride !== 1) return undefined;
  const { width, dilation, pads } = settings;
  const span = (width - 1) * dilation;
  return pads[0] + pads[1] === span ? { rate, radius: radius + Math.max(...pads) / rate } : undefined;
}

/** A transposed convolution that returns `stride` samples for each sample. */
function upsampled(graph: Graph, node: GraphNode, { rate, radius }: TimeField): TimeField | undefined {
  const settings = filterOf(graph, node);
  if (settings === undefined || settings.dilation !== 1) return undefined;
  const { width, stride, pads, extra } = settings;
  if (width - pads[0] - pads[1] + extra !== stride) return undefined;
  const reach = Math.max(width - 1 - pads[0], pads[0]) / stride;
  return { rate: rate * stride, radius: radius + reach / rate };
}

interface Filter {
  width: number;
  stride: number;
  dilation: number;
  pads: [before: number, after: number];
  /** `output_padding` of a transposed convolution. */
  extra: number;
}

/** Returns the settings of a convolution with one dimension, or undefined for any other one. */
function filterOf({ bytes, tensors }: Graph, { inputs, attributes }: GraphNode): Filter | undefined {
  const weights = tensors.get(inputs[1] ?? '');
  const [, , width, ...more] = weights === undefined ? [] : dimensionsOf(bytes, weights);
  if (width === undefined || width < 1 || more.length > 0) return undefined;
  const lists = new Map(attributes.map((attribute) => attributeOf(bytes, attribute)));
  const one = (name: string, otherwise: number) => lists.get(name)?.[0] ?? otherwise;
  if (lists.has('auto_pad') || lists.has('output_shape')) return undefined;
  const [before = 0, after = 0] = lists.get('pads') ?? [];
  const filter = {
    width,
    stride: one('strides', 1),
    dilation: one('dilations', 1),
    extra: one('output_padding', 0),
  };
  const all = [filter.stride, filter.dilation, filter.extra, before, after];
  // A negative number has ten bytes, and is read as a huge one.
  return all.every((value) => value < MAX_HOP) && filter.stride > 0
    ? { ...filter, pads: [before, after] }
    : undefined;
}

const ATTRIBUTE = { name: 1, numbers: 8 };

function attributeOf(bytes: Uint8Array, attribute: WireField): [name: string, numbers: number[]] {
  const parts = fieldsNumbered(bytes, attribute, MAX_HOP);
  const name = parts.find(({ number }) => number === ATTRIBUTE.name);
  const numbers = parts.filter(({ number }) => number === ATTRIBUTE.numbers);
  return [
    name === undefined ? '' : textOfField(bytes, name),
    numbers.flatMap((field) => numbersOfField(bytes, field)),
  ];
}
