/** Bytes of the header of a WAV file of the tests, and of a second of its samples. */
const [HEADER, SECOND] = [44, 16_000];

/** Fetches audio as a speaker does. Returns its length in seconds; undefined for any other file. */
export async function secondsOf(url: string): Promise<number | undefined> {
  try {
    const reply = await fetch(url);
    const file = Buffer.from(await reply.arrayBuffer());
    return reply.ok && file.toString('latin1', 0, 4) === 'RIFF' ? (file.length - HEADER) / SECOND : undefined;
  } catch {
    return undefined;
  }
}
