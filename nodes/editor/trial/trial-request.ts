/** The request of "Try it": the typed values of the form, and the pronunciations of the account. */
import { pronunciationsIn } from '../account/pronunciation-values.js';
import { accountField } from '../form/account-field.js';
import { isLiteral, type Row, type Rows } from '../form/rows.js';

/** Returns the fields of the form that the request contains. The build marks their rows. */
export const triedFields = (rows: Rows): readonly string[] =>
  rows.filter(({ input }) => input.dataset['tried'] !== undefined).map(({ field }) => field);

/** Returns the request with the typed fields. The runtime adds the account's defaults. */
export function requestOf(rows: Rows, text: string): object {
  const { pronunciations: own, ...values } = typedValues(rows, triedFields(rows));
  const pronunciations = [...(Array.isArray(own) ? own : []), ...pronunciationsOfAccount()];
  return { ...values, ...(pronunciations.length > 0 && { pronunciations }), text };
}

/** Returns the typed values of the given fields. */
export function typedValues(rows: Rows, fields: readonly string[]): Readonly<Record<string, unknown>> {
  const typed = rows.filter(
    (row) => fields.includes(row.field) && isLiteral(row) && row.input.value.trim() !== '',
  );
  return Object.fromEntries(typed.map((row) => [row.field, valueOf(row)]));
}

/** Returns a typed value. The runtime names the fault of a text that is neither a number nor JSON. */
function valueOf({ input, type }: Row): unknown {
  const text = input.value.trim();
  if (type.value === 'str') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the pronunciations of the account in the dialog, deployed or not. */
export const pronunciationsOfAccount = () =>
  pronunciationsIn(RED.nodes.node(accountField()?.value ?? '')?.['pronunciations']);
