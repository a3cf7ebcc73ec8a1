import { MemoryFiles } from './memory-files.js';

/** The results of a run. */
export interface WasiResult {
  exitCode: number;
  stdout: string;
  files: MemoryFiles;
}

/** Values of `errno` in WASI preview 1. */
const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NO_ENTRY = 44;
const NO_SEEK = 70;

/** Descriptors 0 to 2 are the standard streams, 3 is the only folder. Higher numbers are files. */
const STDOUT = 1;
const FOLDER = 3;
const FILE_TYPES = { characterDevice: 2, directory: 3, regularFile: 4 } as const;
const OPEN_CREATE = 1;
const OPEN_TRUNCATE = 8;

class ProcessExit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

/**
 * Runs a WASI command once, in memory only: it cannot reach files, settings or the environment of this machine.
 * `node:wasi` is experimental and crashed the process (docs/decisions/0010).
 * @param module Command module of `wasi_snapshot_preview1`.
 * @param args Arguments; the first is the name of the program. A NUL character ends an argument.
 * @throws WebAssembly.RuntimeError if the program traps
 */
export function runWasi(module: WebAssembly.Module, args: readonly string[]): WasiResult {
  const host = new WasiHost(args);
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: host.imports() });
  const { memory, _start: start } = instance.exports;
  if (!(memory instanceof WebAssembly.Memory) || typeof start !== 'function') {
    throw new TypeError('the module is not a WASI command: it must export "memory" and "_start"');
  }
  host.memory = memory;
  return { exitCode: runToExit(() => start()), stdout: host.stdout(), files: host.files };
}

function runToExit(start: () => unknown): number {
  try {
    start();
    return 0;
  } catch (error) {
    if (error instanceof ProcessExit) return error.code;
    throw error;
  }
}

/** The system calls of a speech program. 64-bit numbers arrive as bigint. */
class WasiHost {
  memory: WebAssembly.Memory | undefined;
  readonly files = new MemoryFiles(FOLDER + 1);
  readonly #args: readonly Buffer[];
  readonly #output: Buffer[] = [];

  constructor(args: readonly string[]) {
    this.#args = args.map((arg) => Buffer.from(`${arg}\0`));
  }

  stdout(): string {
    return Buffer.concat(this.#output).toString();
  }

  imports(): Record<string, (...values: never[]) => number> {
    return { ...this.#arguments(), ...this.#folder(), ...this.#streams() };
  }

  /** Creates a view for each call, because a growing memory detaches the old view. */
  #view(): DataView {
    return new DataView(this.#buffer());
  }

  #bytes(start: number, length: number): Buffer {
    return Buffer.from(this.#buffer(), start, length);
  }

  #buffer(): ArrayBuffer {
    if (this.memory === undefined) throw new Error('system call before the start of the program');
    return this.memory.buffer;
  }

  /** The buffers of a read or write (`iovec`: address and length, 32 bits each). */
  #vectors(address: number, count: number): Buffer[] {
    const view = this.#view();
    return Array.from({ length: count }, (_, index) =>
      this.#bytes(view.getUint32(address + 8 * index, true), view.getUint32(address + 8 * index + 4, true)),
    );
  }

  #arguments() {
    return {
      args_sizes_get: (countAt: number, sizeAt: number) => {
        this.#view().setUint32(countAt, this.#args.length, true);
        this.#view().setUint32(sizeAt, Buffer.concat(this.#args).length, true);
        return SUCCESS;
      },
      args_get: (pointersAt: number, textAt: number) => {
        let offset = 0;
        for (const [index, arg] of this.#args.entries()) {
          this.#view().setUint32(pointersAt + 4 * index, textAt + offset, true);
          offset += arg.copy(this.#bytes(textAt + offset, arg.length));
        }
        return SUCCESS;
      },
      clock_time_get: (_clock: number, _precision: bigint, timeAt: number) => {
        this.#view().setBigUint64(timeAt, BigInt(Date.now()) * 1_000_000n, true);
        return SUCCESS;
      },
      proc_exit: (code: number): never => {
        throw new ProcessExit(code);
      },
    };
  }

  #folder() {
    return {
      fd_prestat_get: (descriptor: number, resultAt: number) => {
        if (descriptor !== FOLDER) return BAD_DESCRIPTOR;
        this.#view().setUint32(resultAt, 0, true);
        this.#view().setUint32(resultAt + 4, 1, true);
        return SUCCESS;
      },
      fd_prestat_dir_name: (_descriptor: number, nameAt: number, length: number) => {
        this.#bytes(nameAt, length).write('.');
        return SUCCESS;
      },
      path_open: (
        _folder: number,
        _lookup: number,
        nameAt: number,
        nameLength: number,
        flags: number,
        _rights: bigint,
        _inherited: bigint,
        _descriptorFlags: number,
        resultAt: number,
      ) => {
        const name = this.#bytes(nameAt, nameLength).toString();
        const mode = { create: (flags & OPEN_CREATE) !== 0, truncate: (flags & OPEN_TRUNCATE) !== 0 };
        const descriptor = this.files.open(name, mode);
        if (descriptor === undefined) return NO_ENTRY;
        this.#view().setUint32(resultAt, descriptor, true);
        return SUCCESS;
      },
    };
  }

  #streams() {
    return {
      fd_close: (descriptor: number) => (this.files.close(descriptor) ? SUCCESS : BAD_DESCRIPTOR),
      fd_fdstat_get: (descriptor: number, resultAt: number) => this.#status(descriptor, resultAt),
      fd_fdstat_set_flags: () => SUCCESS,
      fd_read: (descriptor: number, vectorsAt: number, count: number, readAt: number) =>
        this.#transfer(readAt, this.#vectors(vectorsAt, count), (piece) =>
          this.files.read(descriptor, piece),
        ),
      fd_write: (descriptor: number, vectorsAt: number, count: number, writtenAt: number) =>
        this.#transfer(writtenAt, this.#vectors(vectorsAt, count), (piece) => this.#write(descriptor, piece)),
      fd_seek: (descriptor: number, offset: bigint, whence: number, positionAt: number) => {
        const position = this.files.seek(descriptor, Number(offset), whence);
        if (position === undefined) return NO_SEEK;
        this.#view().setBigUint64(positionAt, BigInt(position), true);
        return SUCCESS;
      },
    };
  }

  #status(descriptor: number, resultAt: number): number {
    if (descriptor > FOLDER && !this.files.isOpen(descriptor)) return BAD_DESCRIPTOR;
    const { characterDevice, directory, regularFile } = FILE_TYPES;
    const type = descriptor < FOLDER ? characterDevice : descriptor === FOLDER ? directory : regularFile;
    const status = this.#bytes(resultAt, 24).fill(0);
    status[0] = type;
    status.fill(0xff, 8); // All rights.
    return SUCCESS;
  }

  /** Stores standard output, ignores standard error and writes all other descriptors to the open file. */
  #write(descriptor: number, piece: Buffer): number | undefined {
    if (descriptor >= FOLDER) return this.files.write(descriptor, piece);
    if (descriptor === STDOUT) this.#output.push(Buffer.from(piece));
    return piece.length;
  }

  /** Passes each buffer to `move` and stores the total number of bytes. */
  #transfer(totalAt: number, pieces: Buffer[], move: (piece: Buffer) => number | undefined): number {
    let total = 0;
    for (const piece of pieces) {
      const moved = move(piece);
      if (moved === undefined) return BAD_DESCRIPTOR;
      total += moved;
      if (moved < piece.length) break;
    }
    this.#view().setUint32(totalAt, total, true);
    return SUCCESS;
  }
}
