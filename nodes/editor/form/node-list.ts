/** A property with a list of config nodes. Node-RED knows the references by its type, such as `herald-speaker[]`. */
import { element, textOf, textsOf } from '@herald-speech/browser';
import type { Row } from './rows.js';
import { validateSource } from './validate.js';

/** Whether a typed value of the row is a list of config nodes. */
export const isNodeList = ({ input }: Row): boolean => input.dataset['nodes'] !== undefined;

/** Returns the ids in the JSON array of a row; none in any other text. */
export function idsIn(json: string): string[] {
  try {
    return textsOf(JSON.parse(json));
  } catch {
    return [];
  }
}

/** Returns a saved property as the text of its row: the ids as a JSON array. */
export const savedAsJson = (value: unknown): string =>
  Array.isArray(value) ? (value.length === 0 ? '' : JSON.stringify(value)) : textOf(value);

/** Returns the type of the row, which shows the names of the nodes. */
export const nodeListType = (node: EditorNode): TypedInputType => ({
  value: 'json',
  label: node._('fields.speakers.list'),
  icon: 'fa fa-list',
  valueLabel(container, value) {
    const names = namesIn(value);
    const className = names === '' ? 'herald-node-list herald-none' : 'herald-node-list';
    container.append(element('span', { className, title: names }, names || node._('fields.speakers.blank')));
  },
});

/** Returns the names of the nodes in the JSON array of a row, separated by commas. */
export const namesIn = (json: string): string => idsIn(json).map(nameOf).join(', ');

function nameOf(id: string): string {
  const node = RED.nodes.node(id);
  return node ? RED.utils.getNodeLabel(node, id) : id;
}

/** Makes Node-RED save the ids as an array: it reads an array from a list with several choices. */
export function saveAsArray({ input, type }: Row): void {
  const ids = idsIn(input.value);
  if (type.value !== 'json' || ids.length === 0) return;
  const options = ids.map((value) => element('option', { value, selected: true }));
  const { id } = input;
  input.replaceWith(element('select', { id, multiple: true, hidden: true }, ...options));
}

/** Validates a list of config nodes: each must exist. Any other source is validated like every typed input. */
export function validateNodeList(
  node: EditorNode,
  field: string,
  property: string,
  value: unknown,
): true | string {
  const missing = textsOf(value).filter((id) => !RED.nodes.node(id));
  if (missing.length > 0) return node._('rules.node-missing', { id: missing.join(', ') });
  return Array.isArray(value) || validateSource(node, field, property, value);
}
