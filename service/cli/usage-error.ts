/** An error in the command line, the environment or the settings file. The message names the field and the rule. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
