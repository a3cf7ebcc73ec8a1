/** Bytes of the header of a WAV file of the tests, and the place of its bytes per second. */
const [HEADER, RATE_AT] = [44, 28];

/** Fetches audio as a speaker does. Returns its length in seconds; undefined for any other file. */
export async function secondsOf(url: string): Promise<number | undefined> {
  try {
    const reply = await fetch(url);
    const file = Buffer.from(await reply.arrayBuffer());
    const isWav = reply.ok && file.toString('latin1', 0, 4) === 'RIFF';
    return isWav ? (file.length - HEADER) / file.readUInt32LE(RATE_AT) : undefined;
  } catch {
    return undefined;
  }
}
