/** Whether a thrown value is a system error with this code, such as `ENOENT`. */
export const isErrno = (thrown: unknown, code: string): boolean => errnoOf(thrown) === code;

/** Returns the code of a system error, or undefined for any other value. */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
