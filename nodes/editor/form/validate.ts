/** Validators of a node's saved properties. Each returns true or a localized problem. */
import { textOf } from '@herald-speech/browser';
import { withoutHtml } from '../lib/typed-text.js';
import { extensionProblem } from './rules/file-format.js';
import type { Row } from './rows.js';
import { type RuleProblem, ruleProblem } from './rules/rules.js';
import { jsonProblem } from './rules/settings.js';
import { templateProblem } from './rules/template.js';

/** Validates voice settings: JSON against the ranges, any other source like every typed input. */
export function validateSettings(node: EditorNode, value: unknown): true | string {
  if (sourceOf(node, 'voice_settings') !== 'json') return validateTypedInput(node, 'voice_settings', value);
  const problem = jsonProblem(textOf(value), node._def.voiceSettings ?? {});
  return problem === undefined || node._(problem.key, problem.values);
}

/** Validates a field: a typed value against its rule, any other source like every typed input. */
export function validateField(
  node: EditorNode,
  field: string,
  property: string,
  value: unknown,
): true | string {
  const isTyped = ['str', 'num'].includes(sourceOf(node, property));
  if (!isTyped) return validateTypedInput(node, property, value);
  return problemOfTyped(node, field, textOf(value)) ?? true;
}

/** Returns the source of a property: from the open dialog, otherwise the saved one. */
function sourceOf(node: EditorNode, property: string): string {
  const open = document.getElementById(`node-input-${property}Type`);
  return open instanceof HTMLInputElement ? open.value : textOf(node[`${property}Type`]);
}

function validateTypedInput(node: EditorNode, property: string, value: unknown): true | string {
  const options = { typeField: `${property}Type`, allowBlank: true, allowUndefined: true };
  return RED.validators.typedInput(options).call(node, value, {});
}

/** Returns the problem of a typed file name, unless the node writes no file. */
function fileProblem(node: EditorNode, text: string): RuleProblem | undefined {
  if (typedIn(node, 'output') !== 'file') return undefined;
  return templateProblem(text) ?? extensionProblem(text.trim(), typedIn(node, 'output_format'), node);
}

/** Returns the problem of a typed text: of its template, or with the rule of its field. */
function textProblem(
  { _def: { rules = {}, templates = [] } }: EditorNode,
  field: string,
  text: string,
): RuleProblem | undefined {
  const rule = rules[field];
  const fault = templates.includes(field) ? templateProblem(text) : undefined;
  return fault ?? (rule && ruleProblem(text.trim(), field, rule));
}

/** Returns a typed text: from the open dialog, otherwise the saved one. '' if the value has another source. */
function typedIn(node: EditorNode, property: string): string {
  const open = document.getElementById(`node-input-${property}`);
  const value = open instanceof HTMLInputElement ? open.value : textOf(node[property]);
  return sourceOf(node, property) === 'str' ? value : '';
}

/** Conflicts of typed values with the chosen voice, by the inputs of the open dialog. */
const conflicts = new WeakMap<Element, { node: EditorNode; text: string }>();

/**
 * Sets or removes the conflict of a row with other rows, which only the dialog knows.
 * @param text localized; '' without a conflict
 * @returns whether the conflict changed, so that the row must be validated again
 */
export function setConflict({ input }: Pick<Row, 'input'>, node: EditorNode, text: string): boolean {
  const former = conflicts.get(input)?.text ?? '';
  conflicts.set(input, { node, text: withoutHtml(text) });
  return conflicts.get(input)?.text !== former;
}

/** Node-RED also validates other nodes while a dialog is open. */
function conflictOf(node: EditorNode, field: string): string | undefined {
  const input = document.getElementById(`node-input-${field}`);
  const known = input === null ? undefined : conflicts.get(input);
  return known?.node === node && known.text !== '' ? known.text : undefined;
}

/** Returns the localized problem of a typed value. */
export function problemOfTyped(node: EditorNode, field: string, text: string): string | undefined {
  const problem = field === 'filename' ? fileProblem(node, text) : textProblem(node, field, text);
  if (problem === undefined) return conflictOf(node, field);
  return node._(problem.key, { ...problem.values, field: node._(`fields.${field}.label`) });
}
