import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { InferenceSession, TensorConstructor } from 'onnxruntime-common';

/** ONNX Runtime: onnxruntime-node (native), or the part of onnxruntime-web in this package. */
export interface Runtime {
  kind: 'native' | 'web';
  Tensor: TensorConstructor;
  /**
   * Reads a model from an absolute path and frees its bytes afterwards.
   * @param open loads the model with one or several sessions
   */
  load<Model>(file: string, open: (bytes: Buffer, create: CreateSession) => Promise<Model>): Promise<Model>;
}

/** Loads a model from the bytes of its file. */
export type CreateSession = (model: Uint8Array) => Promise<InferenceSession>;

interface RuntimeOptions {
  /** Folder of onnxruntime-node, if the service has one. */
  native?: string | undefined;
  threads: number;
  memoryBytes: number;
}

interface Library {
  InferenceSession: { create(model: string | Uint8Array, options: object): Promise<InferenceSession> };
  Tensor: TensorConstructor;
  env: { logLevel?: string; wasm: { numThreads?: number } };
}

/**
 * Loads onnxruntime-node if the user has installed it and it runs here, else the part of onnxruntime-web in this package. The folder
 * of the service counts before a package beside this one.
 */
export function loadRuntime({ native: folder, threads, memoryBytes }: RuntimeOptions): Runtime {
  const options = {
    logSeverityLevel: 4,
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Sentences differ in length, so kept buffers would only add up.
    enableCpuMemArena: false,
    enableMemPattern: false,
    // The search for steps that can be joined takes longer than a sentence, and the joined steps are no quicker.
    graphOptimizationLevel: 'disabled',
    // A thread that waits in a loop takes the processor from the thread that it waits for.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
  const native = (folder === undefined ? undefined : loadNative(folder)) ?? loadNative('onnxruntime-node');
  if (native !== undefined) {
    return { kind: 'native', Tensor: native.Tensor, load: loader(native, options) };
  }
  limitHeap(memoryBytes);
  v8.setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  const web = libraryOf(require('./onnxruntime/ort.cjs'));
  web.env.logLevel = 'fatal';
  web.env.wasm.numThreads = threads;
  return { kind: 'web', Tensor: web.Tensor, load: loader(web, options) };
}

function loader({ InferenceSession }: Library, options: object): Runtime['load'] {
  const create: CreateSession = (model) => InferenceSession.create(model, options);
  return async (file, open) => {
    try {
      // A separate function, because the frame of a function keeps the bytes of the file reachable.
      return await (async () => open(await readFile(file), create))();
    } finally {
      await nextTurn();
      collectGarbage();
    }
  };
}

/** The package may be missing, or its library may not run here, as on Alpine Linux. */
function loadNative(place: string): Library | undefined {
  try {
    const library = libraryOf(require(place));
    library.env.logLevel = 'fatal';
    return library;
  } catch {
    return undefined;
  }
}

function libraryOf(loaded: unknown): Library {
  if (!isLibrary(loaded)) throw new Error('the installed version of ONNX Runtime is unknown');
  return loaded;
}

const isLibrary = (loaded: unknown): loaded is Library =>
  typeof loaded === 'object' &&
  loaded !== null &&
  'InferenceSession' in loaded &&
  'Tensor' in loaded &&
  'env' in loaded;

/** Frees the bytes of the file at once. They are outside V8's heap, which would otherwise wait for its next collection. */
function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = vm.runInNewContext('gc');
  if (typeof collect === 'function') collect();
}

/**
 * Bytes of code that V8 runs in a function before it optimizes the function. V8's 1.8 MB optimizes much that only loads a model.
 * Measured with a voice of medium quality, its load and 8 sentences: 9.9 s of processor time in place of 13.5 s on Node.js 20,
 * 6.9 s in place of 9.8 s on Node.js 24. The first sentence takes 0.4 of its length in place of 1.1.
 */
const TIERING_BUDGET = 60_000_000;

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
function limitHeap(memoryBytes: number): void {
  const pages = Math.ceil(Math.max(memoryBytes - OVERHEAD_BYTES, LEAST_BYTES) / PAGE_BYTES);
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super({ ...descriptor, maximum: Math.min(pages, descriptor.maximum ?? pages) });
    }
  };
}
