/**
 * Defers work to its first use. Modules and schemas that a program may never need are built this way, because loading
 * them delays the start of Node-RED.
 * @returns a function that calls `build` once and then returns the same value
 */
export function lazy<Value>(build: () => Value): () => Value {
  let built: { value: Value } | undefined;
  return () => (built ??= { value: build() }).value;
}
