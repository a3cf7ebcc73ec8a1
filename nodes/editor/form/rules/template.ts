/** Checks a typed template with the parser of the runtime (`nodes/runtime/template.ts`). */
import Mustache from 'mustache';
import { withoutHtml } from '../../lib/typed-text.js';
import type { RuleProblem } from './rules.js';

/** The parser's message about a section or its end, with the name. */
const SECTION = /^(Unclosed|Unopened) section "([^]*)" at \d+$/;

/** Returns the problem of a template that the node cannot parse. As in the node, a text without `{{` is plain text. */
export function templateProblem(text: string): RuleProblem | undefined {
  if (!text.includes('{{')) return undefined;
  try {
    // The writer of `Mustache.parse` would keep each version of the text while the user types.
    new Mustache.Writer().parse(text);
    return undefined;
  } catch (error) {
    return problemOf(error instanceof Error ? error.message : String(error));
  }
}

function problemOf(message: string): RuleProblem {
  if (message.startsWith('Unclosed tag ')) return { key: 'rules.tag-unclosed' };
  const [, fault, name = ''] = SECTION.exec(message) ?? [];
  if (fault === undefined) return { key: 'rules.template', values: { problem: withoutHtml(message) } };
  const key = fault === 'Unclosed' ? 'rules.section-unclosed' : 'rules.section-unopened';
  return { key, values: { name: withoutHtml(name) } };
}
