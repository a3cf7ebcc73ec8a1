/** Validators of a node's saved properties. Each returns true or a localized problem. */
import { textOf } from '@herald-speech/browser';
import { extensionProblem } from './file-format.js';
import { type RuleProblem, ruleProblem } from './rules.js';
import { jsonProblem } from './settings.js';
import { templateProblem } from './template.js';

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

/** Returns the localized problem of a typed value. */
export function problemOfTyped(node: EditorNode, field: string, text: string): string | undefined {
  const problem = field === 'filename' ? fileProblem(node, text) : textProblem(node, field, text);
  return problem && node._(problem.key, { ...problem.values, field: node._(`fields.${field}.label`) });
}
