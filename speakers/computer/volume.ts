/**
 * Returns samples at a volume. The volume is cubic, as that of PulseAudio and of most desktops: half of it sounds half as loud.
 * @param data signed samples of 16 bits in little-endian order
 * @param volume percent of the full volume; undefined leaves the samples as they are
 */
export function atVolume(data: Uint8Array, volume: number | undefined): Uint8Array {
  if (volume === undefined || volume >= 100) return data;
  const gain = (volume / 100) ** 3;
  const samples = Buffer.from(data);
  for (let at = 0; at + 1 < samples.length; at += 2)
    samples.writeInt16LE(Math.round(samples.readInt16LE(at) * gain), at);
  return samples;
}
