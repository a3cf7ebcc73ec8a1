import { copyOf, type Graph, type GraphNode, GRAPH, modelOf } from './graph.js';
import { textField } from './protobuf.js';

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

/** Returns a model of a part of the graph. */
export function cutGraph(graph: Graph, inputs: readonly string[], outputs: readonly string[]): Buffer {
  const { nodes, names } = reachOf(graph, inputs, outputs);
  const operations = graph.nodes.filter((node) => nodes.has(node)).map(({ field }) => field);
  const tensors = [...graph.tensors].filter(([name]) => names.has(name)).map(([, field]) => field);
  const parts = [...operations, ...tensors].map((field) => copyOf(graph, field));
  return modelOf(graph, [...parts, textField(GRAPH.name, 'part')], inputs, outputs);
}
