/** Why an account can't have what was asked for, with the status that a request is answered with (docs/interface.md#errors). */
export const accountFailures = {
  invalid: 400,
  'out-of-credits': 402,
  forbidden: 403,
  'not-found': 404,
  /** The name is taken, or there is no room for another: 403, since the interface lists no 409. */
  conflict: 403,
} as const;

export type AccountFailure = keyof typeof accountFailures;

/** An answer other than success. The message names the field, the value and what is allowed; it never holds a key. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';

  constructor(
    readonly kind: AccountFailure,
    message: string,
  ) {
    super(message);
  }

  get status(): (typeof accountFailures)[AccountFailure] {
    return accountFailures[this.kind];
  }
}
