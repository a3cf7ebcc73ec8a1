/**
 * Returns a function that calls `build` on its first call, and returns the same value on each call. The client and the
 * nodes defer modules and schemas this way, because loading them would delay the start of Node-RED.
 */
export function lazy<Value>(build: () => Value): () => Value {
  let built: { value: Value } | undefined;
  return () => (built ??= { value: build() }).value;
}
