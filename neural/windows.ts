/** A window of frames. The decoder also needs the frames around it, its context. */
export interface Window {
  from: number;
  /** The frame after the last one. */
  to: number;
  contextFrom: number;
  contextTo: number;
}

/**
 * Frames of the first window of audio that the caller waits for: 0.37 s of a voice with 22,050 hertz. Later windows are longer, because each
 * computes its context again.
 */
const FIRST = 32;
const LONGEST = 256;

/**
 * Cuts frames into windows of 32, 64, 128 and then 256 frames, or all of 256 frames. A rest that is shorter than the context belongs to the
 * window before it.
 * @param overlap frames of the context on each side
 * @param isUrgent whether the caller waits for the first window
 */
export function decoderWindows(count: number, overlap: number, isUrgent = true): Window[] {
  const windows: Window[] = [];
  for (let from = 0, size = isUrgent ? FIRST : LONGEST; from < count; size = Math.min(LONGEST, 2 * size)) {
    const to = count - from - size < overlap ? count : from + size;
    windows.push({
      from,
      to,
      contextFrom: Math.max(0, from - overlap),
      contextTo: Math.min(count, to + overlap),
    });
    from = to;
  }
  return windows;
}
