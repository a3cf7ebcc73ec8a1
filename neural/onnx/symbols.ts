import { dimensionsOf, type Graph, listOf, TENSOR } from './graph.js';
import { ProtobufError } from './protobuf.js';

/** The input with the ids of a Piper voice. */
const IDS = 'input';
const FLOAT32 = 1;
/** Bounds of a table. Voices have up to 256 symbols with 192 numbers each. */
const MAX_NUMBERS = 4_000_000;

/**
 * Returns the length (the norm) of the vector of each symbol. The vectors are the table from which the first operation picks the rows of
 * the ids. Undefined for other graphs.
 */
export function symbolLengths(graph: Graph): Float32Array | undefined {
  try {
    const table = graph.nodes.find(({ type, inputs }) => type === 'Gather' && inputs[1] === IDS)?.inputs[0];
    const tensor = table === undefined ? undefined : graph.tensors.get(table);
    if (tensor === undefined) return undefined;
    const [rows = 0, width = 0, ...more] = dimensionsOf(graph.bytes, tensor);
    const parts = listOf(graph.bytes, tensor);
    const type = parts.find(({ number }) => number === TENSOR.type)?.value;
    const raw = parts.find(({ number }) => number === TENSOR.raw);
    const count = rows * width;
    if (raw === undefined || type !== FLOAT32 || more.length > 0 || count > MAX_NUMBERS) return undefined;
    if (count === 0 || raw.end - raw.from !== count * Float32Array.BYTES_PER_ELEMENT) return undefined;
    const { buffer, byteOffset } = graph.bytes;
    const numbers = new DataView(buffer, byteOffset + raw.from, raw.end - raw.from);
    return Float32Array.from({ length: rows }, (_, row) => lengthOf(numbers, row * width, width));
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}

function lengthOf(numbers: DataView, start: number, width: number): number {
  let sum = 0;
  for (let place = start; place < start + width; place++) sum += numbers.getFloat32(place * 4, true) ** 2;
  return Math.sqrt(sum);
}
