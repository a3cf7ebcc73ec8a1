/** Bytes of the first buffer. It grows by doubling, so that bytes that arrive one at a time take linear time. */
const INITIAL_SIZE = 1024;
const NEWLINE = 10;

/** Received bytes that the reader has not used. */
export class ByteQueue {
  #buffer = Buffer.alloc(INITIAL_SIZE);
  #start = 0;
  #end = 0;
  /** Bytes after `#start` that contain no newline. */
  #searched = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  append(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Returns a copy of the next bytes up to the next newline and removes them with the newline. Returns undefined without a newline. */
  takeLine(): Buffer | undefined {
    const unsearched = this.#buffer.subarray(this.#start + this.#searched, this.#end);
    const index = unsearched.indexOf(NEWLINE);
    if (index < 0) {
      this.#searched = this.length;
      return undefined;
    }
    const line = this.take(this.#searched + index);
    this.#start += 1;
    return line;
  }

  /** Removes the next bytes and returns a copy. */
  take(length: number): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(this.#start, this.#start + length));
    this.skip(length);
    return bytes;
  }

  skip(length: number): void {
    this.#start += length;
    this.#searched = 0;
  }

  #makeRoom(length: number): void {
    if (this.#end + length <= this.#buffer.length) return;
    const needed = this.length + length;
    const size = Math.max(INITIAL_SIZE, 2 ** Math.ceil(Math.log2(needed)));
    const target =
      size > this.#buffer.length || size * 4 < this.#buffer.length ? Buffer.alloc(size) : this.#buffer;
    this.#buffer.copy(target, 0, this.#start, this.#end);
    [this.#buffer, this.#start, this.#end] = [target, 0, needed - length];
  }
}
