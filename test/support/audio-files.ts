/**
 * Returns a WAV of 16-bit PCM. All its samples have one value, which identifies the piece in joined audio.
 * @param options `seconds` of sound, `sampleRate` in hertz
 */
export function wavOf({ seconds = 0.1, value = 1, sampleRate = 8000, channels = 1 } = {}): Buffer {
  const samples = Math.round(seconds * sampleRate) * channels;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples * 2, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channels * 2, 28);
  header.writeUInt16LE(channels * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples * 2, 40);
  const body = Buffer.alloc(samples * 2);
  for (let at = 0; at < body.length; at += 2) body.writeInt16LE(value, at);
  return Buffer.concat([header, body]);
}

/** Returns silent frames of MPEG-1 layer III: 128 kbit/s, 44.1 kHz, mono, 26 ms and 417 bytes each. */
export function mp3Of(frames = 10): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0xc0]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}
