/** Returns a function that starts `load` on its first call, and returns the same promise on each call. A failed load is repeated. */
export function lazy<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
