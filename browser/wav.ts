/** Bytes of the WAV header. */
const HEADER = 44;

/**
 * Encodes a mono WAV file with 16-bit PCM samples.
 * @param samples from -1 to 1; values outside this range are clipped
 * @param sampleRate in hertz
 */
export function encodeWav(samples: Float32Array, sampleRate: number): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(HEADER + 2 * samples.length));
  writeHeader(view, sampleRate);
  samples.forEach((sample, index) => {
    const level = Math.max(-1, Math.min(1, sample));
    view.setInt16(HEADER + 2 * index, Math.round(level * 32_767), true);
  });
  return view.buffer;
}

function writeHeader(view: DataView, sampleRate: number): void {
  const word = (at: number, letters: string) =>
    Array.from(letters, (letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  word(0, 'RIFF');
  view.setUint32(4, view.byteLength - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true); // Size of the chunk.
  view.setUint16(20, 1, true); // PCM.
  view.setUint16(22, 1, true); // Channels.
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true); // Bytes per second.
  view.setUint16(32, 2, true); // Bytes per frame.
  view.setUint16(34, 16, true); // Bits per sample.
  word(36, 'data');
  view.setUint32(40, view.byteLength - HEADER, true);
}
