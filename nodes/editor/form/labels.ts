/** What a node without a name is called on the canvas: what it is, and what it does it with. */
import { textOf } from '../text.js';

/** Characters of a text that are shown. */
const MAX_LENGTH = 24;
/** Choices that are what the node does. */
const CHOICES = ['action', 'report'];
/** Properties that tell nodes apart: the first one that is typed is shown. */
const TELLING = [...CHOICES, 'voice_name', 'voice_id', 'language', 'gender', 'style'];
/** Local voices have names; the identifier of a hosted one tells nobody anything. */
const READABLE = /^[^0-9]{1,16}[0-9]{0,3}$/;

/** What a label needs of a node. */
export interface Labelled {
  /** A word of the node's locale file. */
  _(key: string): string;
  [property: string]: unknown;
}

/** A node's label. */
export function nodeLabel(node: Labelled): string {
  const name = textOf(node['name']);
  if (name !== '') return name;
  const text = tellingOf(node, 'text');
  if (text !== '') return `“${text}”`;
  const told = TELLING.map((property) => tellingOf(node, property)).find((words) => words !== '');
  return told === undefined ? node._('label') : `${node._('label')}: ${told}`;
}

function tellingOf(node: Labelled, property: string): string {
  const value = textOf(node[property]);
  if (value === '' || node[`${property}Type`] !== 'str') return '';
  if (CHOICES.includes(property)) return node._(`fields.${property}.choices.${value}`);
  return property === 'voice_id' && !READABLE.test(value) ? '' : shortened(value);
}

const shortened = (words: string): string =>
  words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH - 1).trimEnd()}…` : words;
