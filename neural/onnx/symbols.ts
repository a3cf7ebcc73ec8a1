import { dimensionsOf, FLOAT, type Graph, fieldsNumbered, TENSOR } from './graph.js';
import { orUndefined } from './protobuf.js';

/** The input with the ids of a Piper voice. */
const IDS = 'input';
/** Bound of a table. Voices have up to 256 symbols with 192 numbers each. */
const MAX_NUMBERS = 4_000_000;

/**
 * Returns the length (the norm) of the vector of each symbol. The vectors are the table from which an operation picks the rows of the
 * ids. Undefined for other graphs.
 */
export const symbolLengths = (graph: Graph): Float32Array | undefined => orUndefined(() => lengthsIn(graph));

function lengthsIn({ bytes, nodes, tensors }: Graph): Float32Array | undefined {
  const table = nodes.find(({ type, inputs }) => type === 'Gather' && inputs[1] === IDS)?.inputs[0];
  const tensor = table === undefined ? undefined : tensors.get(table);
  if (tensor === undefined) return undefined;
  const [rows = 0, width = 0, ...more] = dimensionsOf(bytes, tensor);
  const parts = fieldsNumbered(bytes, tensor);
  const type = parts.find(({ number }) => number === TENSOR.type)?.value;
  const raw = parts.find(({ number }) => number === TENSOR.raw);
  const count = rows * width;
  if (raw === undefined || type !== FLOAT || more.length > 0) return undefined;
  const size = raw.end - raw.from;
  if (count === 0 || count > MAX_NUMBERS || size !== count * Float32Array.BYTES_PER_ELEMENT) return undefined;
  const numbers = new DataView(bytes.buffer, bytes.byteOffset + raw.from, size);
  return Float32Array.from({ length: rows }, (_, row) => lengthOf(numbers, row * width, width));
}

function lengthOf(numbers: DataView, start: number, width: number): number {
  let sum = 0;
  for (let place = start; place < start + width; place++) sum += numbers.getFloat32(place * 4, true) ** 2;
  return Math.sqrt(sum);
}
