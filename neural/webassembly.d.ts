/** The part of the WebAssembly interface that this package needs. The compiler includes it only in the types of a browser. */
declare namespace WebAssembly {
  interface MemoryDescriptor {
    /** Pages of 64 KiB. */
    initial: number;
    maximum?: number;
    shared?: boolean;
  }

  let Memory: new (descriptor: MemoryDescriptor) => object;

  class RuntimeError extends Error {}
}
