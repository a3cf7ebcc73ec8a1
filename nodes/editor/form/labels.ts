/** The canvas label of a node without a name, and its search words in the palette. */
import { truncated, textOf } from '@herald-speech/browser';

/** UTF-16 code units of a value in the label. */
const MAX_LENGTH = 24;
/** Matches the id of a natural voice, such as `de_DE-thorsten_emotional-medium`, with the name of the voice. */
const NATURAL = /^\p{L}{2,3}_\p{L}{2}-(?<name>\p{L}{1,12})(?:_\p{L}+)*-(?:x_low|low|medium|high)\b/u;

/** How a property is shown: in quotes, as the name of a choice, as the name of a voice, as the last name of a path, or as typed. */
type LabelStyle = 'quote' | 'choice' | 'voice' | 'path' | 'text';

/** Saved properties that the label may show; the first one with a typed value counts. The build writes them. */
export type LabelStyles = Readonly<Record<string, LabelStyle>>;

/** The parts of an editor node that its label needs. */
export interface LabelledNode {
  /** Returns a localized text of the node. */
  _(key: string): string;
  [property: string]: unknown;
}

/** Returns the node's name, its quoted text, or its type with the first typed value. */
export function nodeLabel(node: LabelledNode, styles: LabelStyles): string {
  const name = textOf(node['name']);
  if (name !== '') return name;
  for (const [property, style] of Object.entries(styles)) {
    const value = shownValue(node, property, style);
    if (value !== '') return style === 'quote' ? quoted(value, node) : `${node._('label')}: ${value}`;
  }
  return node._('label');
}

/** Puts a text into the quotation marks of the editor's language. */
export function quoted(text: string, node: Pick<LabelledNode, '_'>): string {
  const [opening = '', closing = ''] = node._('quotes');
  return opening + text + closing;
}

function shownValue(node: LabelledNode, property: string, style: LabelStyle): string {
  const value = textOf(node[property]).replace(/\s+/g, ' ');
  if (value === '' || node[`${property}Type`] !== 'str') return '';
  if (style === 'choice') return node._(`fields.${property}.choices.${value}`);
  if (style === 'voice') return voiceName(value);
  return shortened(style === 'path' ? lastName(value) : value);
}

/** Returns the name of the file or folder at the end of a path, of Windows too; without such a name the path. */
const lastName = (path: string): string => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;

/** Returns the short name of a natural voice. Another id, such as `slt` for Selma, does not tell the name: ''. */
function voiceName(id: string): string {
  const [first = '', ...others] = NATURAL.exec(id)?.groups?.['name'] ?? '';
  return first.toLocaleUpperCase() + others.join('');
}

const shortened = (text: string): string =>
  text.length > MAX_LENGTH ? `${truncated(text, MAX_LENGTH - 1).trimEnd()}…` : text;

/**
 * Adds the search words of a node type when Node-RED adds it to the palette (`onpaletteadd`). Its filter compares the type and
 * the attribute `data-palette-label` of each node.
 */
export function addKeywords(registration: { type: string; _(key: string): string }): void {
  const { type } = registration;
  const entry = document.querySelector<HTMLElement>(`.red-ui-palette-node[data-palette-type="${type}"]`);
  if (entry === null) return;
  const label = entry.dataset['paletteLabel'] ?? '';
  entry.dataset['paletteLabel'] = `${label} ${registration._('keywords')}`;
}
