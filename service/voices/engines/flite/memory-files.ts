interface MemoryFile {
  bytes: Buffer;
  length: number;
}

/** Maximum bytes of a file: ten minutes of audio at 16 kHz. */
const MAX_FILE_BYTES = 20_000_000;
const FIRST_CAPACITY = 65_536;
const SEEK_FROM_HERE = 1;
const SEEK_FROM_END = 2;

/** The files of one run of a program, in memory, and their open descriptors. */
export class MemoryFiles {
  readonly #files = new Map<string, MemoryFile>();
  readonly #open = new Map<number, { file: MemoryFile; position: number }>();
  #next: number;

  /** @param firstDescriptor Lowest number for a file. Lower numbers belong to the standard streams. */
  constructor(firstDescriptor: number) {
    this.#next = firstDescriptor;
  }

  /** Returns the contents of a file, or undefined if the file does not exist. */
  contents(name: string): Buffer | undefined {
    const file = this.#files.get(name);
    return file?.bytes.subarray(0, file.length);
  }

  /** Returns a new descriptor at the start of the file, or undefined if the file does not exist and `create` is false. */
  open(name: string, mode: { create: boolean; truncate: boolean }): number | undefined {
    const file = this.#files.get(name) ?? (mode.create ? this.#create(name) : undefined);
    if (file === undefined) return undefined;
    if (mode.truncate) file.length = 0;
    this.#open.set(this.#next, { file, position: 0 });
    return this.#next++;
  }

  isOpen(descriptor: number): boolean {
    return this.#open.has(descriptor);
  }

  close(descriptor: number): boolean {
    return this.#open.delete(descriptor);
  }

  /** Reads into `target`. Returns the number of bytes (0 at the end), or undefined for an unknown descriptor. */
  read(descriptor: number, target: Buffer): number | undefined {
    const cursor = this.#open.get(descriptor);
    if (cursor === undefined) return undefined;
    const { file, position } = cursor;
    const count = file.bytes.copy(target, 0, position, Math.min(position + target.length, file.length));
    cursor.position += count;
    return count;
  }

  /**
   * Writes at the cursor. Returns the number of bytes, or undefined for an unknown descriptor.
   * @throws RangeError if the file would exceed its limit, so that an endless write cannot use all memory
   */
  write(descriptor: number, source: Buffer): number | undefined {
    const cursor = this.#open.get(descriptor);
    if (cursor === undefined) return undefined;
    const end = cursor.position + source.length;
    reserve(cursor.file, end);
    source.copy(cursor.file.bytes, cursor.position);
    cursor.position = end;
    cursor.file.length = Math.max(cursor.file.length, end);
    return source.length;
  }

  /** Moves the cursor (`whence` as in POSIX). Returns its position, or undefined for an unknown descriptor. */
  seek(descriptor: number, offset: number, whence: number): number | undefined {
    const cursor = this.#open.get(descriptor);
    if (cursor === undefined) return undefined;
    const origins = new Map([
      [SEEK_FROM_HERE, cursor.position],
      [SEEK_FROM_END, cursor.file.length],
    ]);
    cursor.position = (origins.get(whence) ?? 0) + offset;
    return cursor.position;
  }

  #create(name: string): MemoryFile {
    const file = { bytes: Buffer.alloc(FIRST_CAPACITY), length: 0 };
    this.#files.set(name, file);
    return file;
  }
}

/** Doubles the capacity, so that many small writes stay cheap. */
function reserve(file: MemoryFile, length: number): void {
  if (length > MAX_FILE_BYTES) throw new RangeError(`the file exceeds ${MAX_FILE_BYTES} bytes`);
  if (length <= file.bytes.length) return;
  const bytes = Buffer.alloc(Math.max(length, file.bytes.length * 2));
  file.bytes.copy(bytes, 0, 0, file.length);
  file.bytes = bytes;
}
