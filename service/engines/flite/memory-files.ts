interface MemoryFile {
  bytes: Buffer;
  length: number;
}

/** Bytes that one run may write: ten minutes of audio at 16 kHz. */
const MAX_FILE_BYTES = 20_000_000;
const FIRST_CAPACITY = 65_536;
const SEEK_FROM_HERE = 1;
const SEEK_FROM_END = 2;

/** Files that live in memory for one run of a program, and the descriptors open on them. */
export class MemoryFiles {
  readonly #files = new Map<string, MemoryFile>();
  readonly #open = new Map<number, { file: MemoryFile; position: number }>();
  #next: number;

  /** @param firstDescriptor Number of the first file; the ones below belong to the standard streams. */
  constructor(firstDescriptor: number) {
    this.#next = firstDescriptor;
  }

  /** The whole of a file, or undefined where there is none. */
  contents(name: string): Buffer | undefined {
    const file = this.#files.get(name);
    return file?.bytes.subarray(0, file.length);
  }

  /** A new descriptor at the file's start, or undefined where the file is missing and may not be created. */
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

  /** Fills `target` from the file; the count of bytes (0 at the end), or undefined for an unknown descriptor. */
  read(descriptor: number, target: Buffer): number | undefined {
    const cursor = this.#open.get(descriptor);
    if (cursor === undefined) return undefined;
    const { file, position } = cursor;
    const count = file.bytes.copy(target, 0, position, Math.min(position + target.length, file.length));
    cursor.position += count;
    return count;
  }

  /**
   * Writes at the cursor.
   * @throws RangeError over the bound of a file: a program that never stops writing must not take all memory.
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

  /** Moves the cursor (`whence` as in POSIX); the new position, or undefined for an unknown descriptor. */
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

/** Doubles the room, so that many small writes stay cheap. */
function reserve(file: MemoryFile, length: number): void {
  if (length > MAX_FILE_BYTES) throw new RangeError(`a file grew over ${MAX_FILE_BYTES} bytes`);
  if (length <= file.bytes.length) return;
  const bytes = Buffer.alloc(Math.max(length, file.bytes.length * 2));
  file.bytes.copy(bytes, 0, 0, file.length);
  file.bytes = bytes;
}
