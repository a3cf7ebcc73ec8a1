/** Bytes of the first buffer. */
const FIRST = 4096;

/** Collects bytes in one buffer: a device may send them one by one, and an object for each of them needs much memory. */
export class Bytes {
  private whole = Buffer.alloc(FIRST);
  /** The number of bytes. */
  length = 0;

  add(part: Uint8Array): void {
    const end = this.length + part.length;
    if (end > this.whole.length) this.whole = Buffer.concat([this.whole], Math.max(end, 2 * this.length));
    this.whole.set(part, this.length);
    this.length = end;
  }

  /** Returns the bytes as UTF-8 text, and forgets them. */
  take(): string {
    const text = this.whole.toString('utf8', 0, this.length);
    this.length = 0;
    return text;
  }
}
