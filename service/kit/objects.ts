/** Whether a value is an object whose property `kind` is one of `kinds`. */
export function hasKind(value: unknown, ...kinds: readonly string[]): value is { kind: string } {
  return hasProperties(value) && typeof value['kind'] === 'string' && kinds.includes(value['kind']);
}

/** Whether a value is an object, with any properties. */
export function hasProperties(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
