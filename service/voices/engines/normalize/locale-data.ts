import { type PluralForm, pluralChooser } from './plurals.js';

/** The forms of a name by plural form. */
export type NameForms = Partial<Record<PluralForm, string>> & { other: string };

/** A unit of CLDR: `symbols` are its abbreviations, `per` has `#` in place of the other unit. */
export interface UnitData {
  forms: NameForms;
  gender?: string;
  symbols?: readonly string[];
  per?: string;
}

/** The table of a language, as `scripts/locale-data.mjs` writes it from CLDR. */
interface LocaleTable {
  decimal: string;
  group: string;
  plurals: Partial<Record<PluralForm, string>>;
  /** The twelve names in the form for a date. */
  months: readonly string[];
  /** Without a full stop. */
  shortMonths: readonly string[];
  /** By symbol. */
  units: Readonly<Record<string, UnitData>>;
  /** By ISO 4217 code. */
  currencies: Readonly<Record<string, NameForms>>;
}

export interface LocaleData extends LocaleTable {
  pluralOf: (whole: number, fraction: string) => PluralForm;
}

const loaded = new Map<string, LocaleData>();

/** Returns the table of a language. The file is read at its first use. */
export function localeData(language: string): LocaleData {
  let data = loaded.get(language);
  if (data === undefined) {
    const table: LocaleTable = require(`./data/${language}.json`);
    loaded.set(language, (data = { ...table, pluralOf: pluralChooser(table.plurals) }));
  }
  return data;
}
