/** Explains why the service cannot install a natural voice or speak with it, with the fix. */
import { element, type NaturalList } from '@herald-speech/browser';
import { marked, text } from '../lib/text.js';

/** Returns paragraphs with the problems of the service. Empty if it has none. */
export function problemsOf({ isEngineInstalled, hint, folder, isWritable }: NaturalList): HTMLElement[] {
  const problems = [
    // The service quotes its command.
    isEngineInstalled ? '' : text('natural.no-engine', { hint: hint.replaceAll('"', '`') }),
    isWritable ? '' : text('natural.read-only', { folder }),
  ];
  return problems.filter(Boolean).map((problem) => element('p', {}, ...marked(problem)));
}
