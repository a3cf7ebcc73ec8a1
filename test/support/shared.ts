/** Parts that are expensive to start. One mocha process starts each of them once, and all its tests use it. */

type End = () => Promise<void>;

const ends: End[] = [];

/**
 * Returns a function that starts a part on the first call, and returns the same part on every later call.
 * @param end stops the part in a run of one process; a part has to end with its process by itself as well
 */
export function shared<Part>(
  start: () => Promise<Part>,
  end: (part: Part) => Promise<void>,
): () => Promise<Part> {
  let part: Promise<Part> | undefined;
  return () => {
    if (part === undefined) {
      const starting = start();
      part = starting;
      ends.push(async () => {
        part = undefined;
        await end(await starting);
      });
    }
    return part;
  };
}

/** Stops every shared part. The next test that needs one starts it again. */
export async function endShared(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()));
}
