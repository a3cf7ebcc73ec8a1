/** Checks the value of a source, such as a JSONata expression, with Node-RED's rule. */
import { fieldsOf, textOf } from '@herald-speech/browser';
import { withoutHtml } from '../../lib/typed-text.js';
import type { RuleProblem } from './rules.js';

/** The sources with a path. */
const PATHS: readonly string[] = ['msg', 'flow', 'global'];

/**
 * Returns the problem of a value that Node-RED refuses for its source. A blank value has none. Node-RED has its own texts, but not in
 * all languages of the dialogs.
 */
export function sourceProblem(
  node: EditorNode,
  property: string,
  source: string,
  value: unknown,
): RuleProblem | undefined {
  const options = { type: source, typeField: `${property}Type`, allowBlank: true, allowUndefined: true };
  if (RED.validators.typedInput(options).call(node, value, {}) === true) return undefined;
  if (source === 'jsonata') return { key: 'rules.expression', values: { problem: faultIn(textOf(value)) } };
  return { key: PATHS.includes(source) ? 'rules.path' : 'rules.json' };
}

/** Returns the message of the parser about an expression. */
function faultIn(expression: string): string {
  try {
    jsonata(expression);
    return '';
  } catch (error) {
    return withoutHtml(textOf(fieldsOf(error)['message']));
  }
}
