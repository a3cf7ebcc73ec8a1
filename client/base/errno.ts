/** Whether a thrown value is a system error, and has one of `codes`, such as `ENOENT`, if any are given. */
export function isErrno(thrown: unknown, ...codes: readonly string[]): thrown is Error & { code: string } {
  const code = errnoOf(thrown);
  return code !== undefined && (codes.length === 0 || codes.includes(code));
}

/** Returns the code of a system error, or undefined for any other value. */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
