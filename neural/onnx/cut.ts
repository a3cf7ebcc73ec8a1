import { type Graph, type GraphNode, GRAPH, MODEL, VALUE } from './graph.js';
import { bytesField, type Field, numberField, textField } from './protobuf.js';

/** The part of a graph that some tensors need. */
export interface Reach {
  nodes: ReadonlySet<GraphNode>;
  /** Names of all tensors of the part, with its start and end. */
  names: ReadonlySet<string>;
}

/** Returns the part of a graph between some tensors. */
export function reachOf({ nodes }: Graph, inputs: readonly string[], outputs: readonly string[]): Reach {
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

/** Returns a model of a part of the graph. Inputs that the graph does not declare have the type float32. */
export function cutGraph(graph: Graph, inputs: readonly string[], outputs: readonly string[]): Buffer {
  const { nodes, names } = reachOf(graph, inputs, outputs);
  const copyOf = ({ start, end }: Field) => graph.bytes.subarray(start, end);
  const tensors = [...graph.tensors].filter(([name]) => names.has(name)).map(([, field]) => copyOf(field));
  const input = (name: string) =>
    declared(graph.inputs.get(name)) ?? bytesField(GRAPH.input, floatValue(name));
  const output = (name: string) =>
    declared(graph.outputs.get(name)) ?? bytesField(GRAPH.output, textField(VALUE.name, name));
  const declared = (field: Field | undefined) => field && copyOf(field);
  return Buffer.concat([
    ...graph.others.map(copyOf),
    bytesField(
      MODEL.graph,
      ...graph.nodes.filter((node) => nodes.has(node)).map(({ field }) => copyOf(field)),
      textField(GRAPH.name, 'part'),
      ...tensors,
      ...inputs.map(input),
      ...outputs.map(output),
    ),
  ]);
}

/** A tensor of type float32 and any shape: `type.tensor_type.elem_type` is 1. */
const floatValue = (name: string): Buffer =>
  Buffer.concat([textField(VALUE.name, name), bytesField(2, bytesField(1, numberField(1, 1)))]);
