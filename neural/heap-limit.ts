const PAGE_BYTES = 65_536;
/**
 * Memory of the process besides the heap of WebAssembly, measured: 125 MB for Node.js and the runtime, up to 100 MB for code
 * that V8 optimises, and up to 125 MB for the file of a model while it loads. The rest is a reserve.
 */
const OVERHEAD_BYTES = 400 * 2 ** 20;
const LEAST_BYTES = 128 * 2 ** 20;

/**
 * Limits each WebAssembly memory that this thread makes from now on. ONNX Runtime asks for 4 GB. A model that needs more
 * than the limit then fails with an error that this process survives.
 * @param memoryBytes limit of the whole process
 */
export function limitHeap(memoryBytes: number): void {
  const pages = Math.ceil(Math.max(memoryBytes - OVERHEAD_BYTES, LEAST_BYTES) / PAGE_BYTES);
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super({ ...descriptor, maximum: Math.min(pages, descriptor.maximum ?? pages) });
    }
  };
}
