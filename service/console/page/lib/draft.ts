/** Keeps the values of the fields while the page loads again, for example in another language. */
import { fieldsOf } from '@herald-speech/browser';

const STORED = 'herald-draft';
/** The name of the radio buttons of the voices. */
const VOICE = 'voice';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Stores the typed and selected values until `restoreDraft`. A key, a file and a recording are not stored. */
export function storeDraft(): void {
  const values = [...fields()].map((field) => [nameOf(field), field.value]);
  sessionStorage.setItem(STORED, JSON.stringify(Object.fromEntries(values)));
}

/** Sets the stored values once. The selected voice comes first, because it decides on the values of the other lists. */
export function restoreDraft(): void {
  const stored = fieldsOf(JSON.parse(sessionStorage.getItem(STORED) ?? '{}'));
  sessionStorage.removeItem(STORED);
  const chosen = stored[VOICE];
  for (const radio of document.querySelectorAll<HTMLInputElement>('[type=radio][name=voice]'))
    if (radio.value === chosen) radio.click();
  for (const field of fields()) {
    const value = stored[nameOf(field)];
    if (typeof value !== 'string' || value === field.value || !accepts(field, value)) continue;
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** The fields of the views that take text or numbers, the lists, and the selected voice. */
const fields = (): NodeListOf<Field> =>
  document.querySelectorAll(
    '#console :is(textarea, select, input:is([type=text], :not([type]), [type=search], [type=range]):not([readonly]), [name=voice]:checked)',
  );

/** Names a field among those of all sections. The voices are one field. */
const nameOf = (field: Field): string =>
  field.name === VOICE ? VOICE : `${field.closest('section')?.id}/${field.id || field.name}`;

/** A list takes only its own values. */
const accepts = (field: Field, value: string): boolean =>
  !(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value);
