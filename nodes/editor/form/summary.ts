/** The settings of a dialog as short texts, such as `0.5 s silence before` or `Volume from msg.audio_volume`. */
import { truncated, textOf } from '@herald-speech/browser';
import { quoted } from './labels.js';
import { hasLanguages, toName } from './languages/language.js';
import { isNodeList, namesIn } from './node-list.js';
import { isLiteral, PATH, type Row } from './rows.js';
import { parseSettings, settingText } from './rules/settings.js';

/** Maximum number of UTF-16 code units of one value. */
const MAX_LENGTH = 60;

/** The saved value and source of a new node. */
export function defaultsOf(
  { property }: Row,
  { _def: { defaults } }: EditorNode,
): { value: string; type: string } {
  const text = (key: string) => textOf(defaults[key]?.value);
  return { value: text(property), type: text(`${property}Type`) };
}

/** Whether a row differs from a new node. */
export function isChanged(row: Row, node: EditorNode): boolean {
  const defaults = defaultsOf(row, node);
  return row.input.value !== defaults.value || row.type.value !== defaults.type;
}

/** Returns the setting of a row as a text in the language of the editor. */
export function summaryOf(row: Row, node: EditorNode): string {
  const { field, input, type } = row;
  const label = plain(node._(`fields.${field}.label`));
  const value = cut(textIn(row));
  if (type.value === PATH) return `${label}: ${value}`;
  if (!isLiteral(row))
    return node._('summary.from', { field: withoutUnit(label), source: sourceName(type.value, value) });
  if (value === '') return `${label}: ${node._(`fields.${field}.blank`)}`;
  if (type.value === 'bool') return value === 'true' ? label : node._('summary.off', { field: label });
  if (field === 'voice_settings') return settingsText(input.value, node) ?? `${label}: ${value}`;
  return ownText(`fields.${field}.summary`, value, node) ?? `${label}: ${valueName(row, value, node)}`;
}

/** Returns the value as users read it: nodes by their names. */
const textIn = (row: Row): string =>
  isNodeList(row) && row.type.value === 'json' ? namesIn(row.input.value) : row.input.value.trim();

/** Returns the text of a field with its own summary, such as a number with a unit. */
function ownText(key: string, value: string, node: EditorNode): string | undefined {
  const text = node._(key, { value: localNumber(value) });
  return text.endsWith(key) ? undefined : text;
}

/** Writes a number with the decimal sign of the language of the editor. Other values stay. */
const localNumber = (value: string): string =>
  /^-?\d+\.\d+$/.test(value)
    ? Number(value).toLocaleString(RED.i18n.lang(), { maximumFractionDigits: 6, useGrouping: false })
    : value;

function valueName(row: Row, value: string, node: EditorNode): string {
  const { field, input, type } = row;
  const { choices = '' } = input.dataset;
  if (hasLanguages(row)) return toName(value);
  if (type.value === 'str' && choices.split(' ').includes(value))
    return node._(`fields.${field}.choices.${value}`);
  return field === 'text' ? quoted(value, node) : value;
}

/** Returns each voice setting with its label, or undefined if the text is not a JSON object. */
function settingsText(text: string, node: EditorNode): string | undefined {
  const settings = parseSettings(text);
  if (settings === undefined) return undefined;
  return Object.entries(settings)
    .map(([name, value]) => `${plain(node._(`settings.${name}`))}: ${settingText(value)}`)
    .join(', ');
}

/** Returns the name of a source as users write it, such as `msg.topic` or `${NAME}`. */
function sourceName(type: string, value: string): string {
  if (type === 'env') return /[${]/.test(value) ? value : `\${${value}}`;
  // A context with a named store has the form `#:(store)::key`.
  return type === 'jsonata' ? value : `${type}.${value.replace(/^#:\(.+?\)::/, '')}`;
}

const plain = (label: string): string => label.replaceAll('\u00AD', '');

/** Returns a label such as `Volume (%)` without its unit. */
const withoutUnit = (label: string): string => label.replace(/ \([^)]*\)$/, '');

const cut = (text: string): string =>
  text.length > MAX_LENGTH ? `${truncated(text, MAX_LENGTH - 1).trimEnd()}…` : text;
