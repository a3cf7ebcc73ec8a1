import { render } from '@herald-speech/audio';
import { measureLoudness, parseWav } from '@herald-speech/client/audio';

async function* once(audio: Uint8Array) {
  yield { audio };
}

/** Returns the loudness of parts of a file in LUFS. Times are in seconds. */
export async function decodeParts(
  file: Uint8Array,
  places: readonly { start: number; duration: number }[],
): Promise<number[]> {
  const sampleRate = 24_000;
  const format = { container: 'wav', encoding: 'pcm', sampleRate, channels: 1 } as const;
  const { parts, header } = await render(once(file), { format });
  const data: Uint8Array[] = [];
  for await (const part of parts) data.push(part.data);
  const audio = Buffer.concat(data);
  const wav = parseWav(Buffer.concat([header(audio.length), audio]));
  const samples = new Int16Array(Uint8Array.from(wav.data).buffer);
  return places.map(({ start, duration }) => {
    const part = samples.subarray(
      Math.round(start * sampleRate),
      Math.round((start + duration) * sampleRate),
    );
    return measureLoudness(
      Float32Array.from(part, (sample) => sample / 32_768),
      sampleRate,
    );
  });
}
