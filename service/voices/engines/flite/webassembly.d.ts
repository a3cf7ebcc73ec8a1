/** The part of the WebAssembly interface that Flite needs. The compiler includes it only in the types of a browser. */
declare namespace WebAssembly {
  class Module {
    private readonly brand;
  }
  class Memory {
    readonly buffer: ArrayBuffer;
    private readonly brand;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, (...values: never[]) => unknown>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
