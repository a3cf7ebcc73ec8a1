/** Validators of a node's saved properties. Each returns true or a localized problem. */
import { textOf } from '@herald-speech/browser';
import { withoutHtml } from '../lib/typed-text.js';
import { extensionProblem } from './rules/file-format.js';
import type { Row } from './rows.js';
import { isWithoutEffect } from './rules/only-for.js';
import { type RuleProblem, ruleProblem } from './rules/rules.js';
import { jsonProblem } from './rules/settings.js';
import { sourceProblem } from './rules/source.js';
import { templateProblem } from './rules/template.js';

/** Validates voice settings: JSON against the ranges, any other source like every typed input. */
export function validateSettings(node: EditorNode, value: unknown): true | string {
  if (sourceOf(node, 'voice_settings') !== 'json')
    return validateSource(node, 'voice_settings', 'voice_settings', value);
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
  if (!isTyped) return validateSource(node, field, property, value);
  return problemOfTyped(node, field, textOf(value)) ?? true;
}

/** Returns the source of a property. */
const sourceOf = (node: EditorNode, property: string): string => currentOf(node, `${property}Type`);

/** Returns a saved text: from the open dialog, otherwise from the node, or the default if the flow lacks it. */
function currentOf(node: EditorNode, name: string): string {
  const open = document.getElementById(`node-input-${name}`);
  return open instanceof HTMLInputElement
    ? open.value
    : textOf(node[name] ?? node._def.defaults[name]?.value);
}

/** Validates a value that is no typed text, such as a path of a message. */
export function validateSource(
  node: EditorNode,
  field: string,
  property: string,
  value: unknown,
): true | string {
  const problem = sourceProblem(node, property, sourceOf(node, property), value);
  return problem === undefined || localized(node, field, problem);
}

/** Returns the problem of a typed file name. */
function fileProblem(node: EditorNode, text: string): RuleProblem | undefined {
  if (text.trim().endsWith('/')) return { key: 'rules.folder' };
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

/** Returns a typed text, '' if the value has another source. */
const typedIn = (node: EditorNode, property: string): string =>
  sourceOf(node, property) === 'str' ? currentOf(node, property) : '';

/** The conflict of a typed value with the chosen voice. */
interface Conflict {
  /** The values for which the dialog found the conflict. */
  values: string;
  /** Localized; '' without a conflict. */
  text: string;
}

/** The conflicts in the open dialog by its inputs. Node-RED also validates other nodes while a dialog is open. */
const typedConflicts = new WeakMap<Element, Conflict & { node: EditorNode }>();
/** The conflicts of saved values by node and field: Node-RED also validates nodes whose dialog is closed. */
const savedConflicts = new Map<string, Conflict>();

/** Returns the values that decide about conflicts, to compare them. */
const valuesFrom = (read: (property: string) => string): string =>
  JSON.stringify(['account', 'voice_id', 'language', 'style', 'model'].map(read));

/**
 * Sets or removes the conflict of a row with other rows, which only the dialog knows.
 * @param text localized; '' without a conflict
 * @param read returns the typed value of a property
 * @returns whether the conflict changed, so that the row must be validated again
 */
export function setConflict(
  { input }: Pick<Row, 'input'>,
  node: EditorNode,
  text: string,
  read: (property: string) => string,
): boolean {
  const former = typedConflicts.get(input)?.text ?? '';
  const conflict = { node, values: valuesFrom(read), text: withoutHtml(text) };
  typedConflicts.set(input, conflict);
  return conflict.text !== former;
}

/** Returns a saved text; '' if the value has another source. */
const savedText = (node: EditorNode, property: string): string =>
  ['', 'str'].includes(textOf(node[`${property}Type`])) ? textOf(node[property]).trim() : '';

/** Returns the conflict of the open dialog, or of the same values when they were saved; '' for none. */
function conflictOf(node: EditorNode, field: string): string {
  const key = `${node.id} ${field}`;
  const values = valuesFrom((property) => savedText(node, property));
  const input = document.getElementById(`node-input-${field}`);
  const typed = input === null ? undefined : typedConflicts.get(input);
  if (typed?.node !== node) {
    const saved = savedConflicts.get(key);
    return saved?.values === values ? saved.text : '';
  }
  if (typed.values === values) savedConflicts.set(key, { values, text: typed.text });
  return typed.text;
}

/** Returns the localized problem of a typed value. A value without effect has none. */
export function problemOfTyped(node: EditorNode, field: string, text: string): string | undefined {
  const needs = node._def.onlyFor?.[field] ?? {};
  if (isWithoutEffect(needs, (other) => typedIn(node, other))) return undefined;
  const problem = field === 'filename' ? fileProblem(node, text) : textProblem(node, field, text);
  if (problem === undefined) return conflictOf(node, field) || undefined;
  return localized(node, field, problem);
}

const localized = (node: EditorNode, field: string, { key, values }: RuleProblem): string =>
  node._(key, { ...values, field: node._(`fields.${field}.label`) });
