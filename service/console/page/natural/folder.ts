/** The folder of the natural voices, and its problems. */
import { element, type NaturalList } from '@herald-speech/browser';
import { size } from '../lib/format.js';
import { marked, text } from '../lib/text.js';
import type { Elements } from './markup.js';

/** Shows the folder with its free space, and the problems of the service. */
export function showFolder(
  { notice, problems, folder }: Pick<Elements, 'notice' | 'problems' | 'folder'>,
  content: NaturalList,
): void {
  const paragraphs = problemsOf(content);
  notice.hidden = paragraphs.length === 0;
  problems.replaceChildren(...paragraphs);
  const { freeBytes } = content;
  folder.textContent =
    freeBytes === undefined
      ? text('natural.folder', { folder: content.folder })
      : text('natural.folder-with-space', { folder: content.folder, size: size(freeBytes) });
}

/** Returns paragraphs with the problems of the service. Empty if it has none. */
function problemsOf({ isEngineInstalled, command, folder, isWritable }: NaturalList): HTMLElement[] {
  const problems = [
    isEngineInstalled ? '' : text('natural.no-engine', { command }),
    isWritable ? '' : text('natural.read-only', { folder }),
  ];
  return problems.filter(Boolean).map((problem) => element('p', {}, ...marked(problem)));
}
