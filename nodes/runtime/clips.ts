import { randomUUID } from 'node:crypto';

/** Audio for download. */
export interface Clip {
  audio: Uint8Array;
  mime: string;
}

/** Maximum total size in bytes: about ten minutes of speech. The oldest clips are removed first. */
const MAX_BYTES = 64_000_000;

/** Stores the newest clips in memory under unguessable names. */
export class Clips {
  private readonly clips = new Map<string, Clip>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** Stores a clip and returns its name. Removes the oldest clips above the maximum size, but never the new one. */
  store(clip: Clip): string {
    const name = randomUUID();
    this.clips.set(name, clip);
    this.bytes += clip.audio.length;
    for (const [oldest, { audio }] of this.clips) {
      if (this.bytes <= this.maxBytes || oldest === name) break;
      this.clips.delete(oldest);
      this.bytes -= audio.length;
    }
    return name;
  }

  /** Removes a clip before its time. */
  remove(name: string): void {
    this.bytes -= this.clips.get(name)?.audio.length ?? 0;
    this.clips.delete(name);
  }

  /** Returns the clip, or undefined if it has been removed. */
  find(name: string): Clip | undefined {
    return this.clips.get(name);
  }
}

/** The clips of all listen nodes and of the sidebar: their sizes have one limit. */
export const sharedClips = new Clips();
