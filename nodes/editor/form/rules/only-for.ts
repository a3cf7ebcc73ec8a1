/** Fields that have an effect only with some values of other fields, such as the file name with the output `file`. */

/** The values of other fields that a field needs. */
export type Needs = Readonly<Record<string, readonly string[]>>;

/**
 * Whether typed values of other fields leave a field without effect: the dialog hides its row, and its value needs no check.
 * @param typed returns the typed value of a field; '' if it is blank or depends on the message
 */
export const isWithoutEffect = (needs: Needs, typed: (field: string) => string): boolean =>
  Object.entries(needs).some(([field, values]) => !['', ...values].includes(typed(field)));
