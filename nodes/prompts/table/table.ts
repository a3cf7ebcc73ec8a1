import type { Text } from '@herald-speech/client';

/** The voice of a row. A missing field means the value of the node. */
interface RowVoice {
  voice_id?: string | undefined;
  language?: string | undefined;
  style?: string | undefined;
  model?: string | undefined;
  /** Names as in the interface, such as `speed`. */
  voice_settings?: Readonly<Record<string, number | undefined>> | undefined;
}

/** A row of the table. */
export interface AnyRow {
  /** In CSV text the line where the row starts; the header is in line 1. In an array the index + 1. */
  number: number;
  /** The row as given, with the names of its columns. It can be sent back in. */
  given: Readonly<Record<string, unknown>>;
}

/** One prompt to make. */
export interface PromptRow extends AnyRow {
  /** The text with the values of other columns in place of `{{column}}`. */
  text: string;
  /** Relative path of the prompt file with `/` and an extension, in Unicode form NFC, such as `menu/main.wav`. */
  filename: string;
  voice: RowVoice;
  /** A format for which `isFormat` returned true. Undefined: the format of the node. */
  format?: string | undefined;
}

/** A row that cannot become a prompt file. */
export interface WrongRow extends AnyRow {
  /** The relative path of the prompt file if the name is valid, otherwise the name as given. '' if it is missing or unknown. */
  filename: string;
  /** At least one problem. Each names the column, the value, the rule and the fix. */
  problems: readonly Text[];
}

/** The rows of a table in their order. */
export interface Table {
  rows: readonly PromptRow[];
  wrong: readonly WrongRow[];
  /** The names of all columns as given, without blank names. */
  columns: readonly string[];
}
