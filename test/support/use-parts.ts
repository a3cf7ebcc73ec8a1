/**
 * Keeps the parts of a function such as `withRedis` for all tests of a suite. Call it inside `describe`.
 * @returns a function that returns the parts, for use in hooks and tests
 */
export function useParts<Parts>(
  withParts: (work: (parts: Parts) => Promise<void>) => Promise<void>,
): () => Parts {
  let current: { parts: Parts } | undefined;
  let end = (): void => undefined;
  let ended = Promise.resolve();
  before(
    () =>
      new Promise<void>((resolve, reject) => {
        ended = withParts((parts) => {
          current = { parts };
          resolve();
          return new Promise((close) => (end = close));
        });
        ended.catch((error: unknown) => {
          // The hook reports it.
          ended = Promise.resolve();
          reject(error);
        });
      }),
  );
  after(() => {
    end();
    return ended;
  });
  return () => {
    if (current === undefined)
      throw new Error('The parts start in the hooks of the suite: use them in a test.');
    return current.parts;
  };
}
