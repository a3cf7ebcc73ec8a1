import { randomUUID } from 'node:crypto';

/** Audio that is held to be fetched. */
export interface Clip {
  audio: Uint8Array;
  mime: string;
}

/** Bytes of audio that are held at a time: about ten minutes of speech; the oldest goes first. */
const MAX_BYTES = 64_000_000;

/** The newest clips, by a name that can't be guessed. */
export class Clips {
  private readonly held = new Map<string, Clip>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** Holds a clip until newer ones need its place; the newest is held whatever its size. */
  hold(clip: Clip): string {
    const name = randomUUID();
    this.held.set(name, clip);
    this.bytes += clip.audio.length;
    for (const [oldest, { audio }] of this.held) {
      if (this.bytes <= this.maxBytes || oldest === name) break;
      this.held.delete(oldest);
      this.bytes -= audio.length;
    }
    return name;
  }

  find(name: string): Clip | undefined {
    return this.held.get(name);
  }
}
