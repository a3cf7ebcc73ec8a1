/** The command line, the environment or the settings file says something that makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
