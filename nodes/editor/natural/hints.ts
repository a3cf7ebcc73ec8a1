/** The reasons why a service cannot install natural voices, with the fix. */
import { element, type NaturalList } from '@herald-speech/browser';
import { commandIn } from './install-command.js';

/** Returns a note with the fix if the engine is missing or the folder is read-only; otherwise the introduction. */
export function engineHint(
  { isEngineInstalled, hint, folder, isWritable, userDir }: NaturalList,
  node: EditorNode,
): HTMLElement[] {
  // In a clone of the repository, the command belongs to another folder.
  const isInUserDir = userDir !== '' && !hint.includes('npm run');
  if (!isEngineInstalled && isInUserDir)
    return [
      note(node._('picker.natural.no-engine', { folder: userDir })),
      element('p', {}, element('code', { className: 'herald-command', tabIndex: 0 }, commandIn(hint))),
      note(node._('picker.natural.restart')),
    ];
  if (!isEngineInstalled) return [note(node._('picker.natural.no-engine-elsewhere', { hint }))];
  if (!isWritable) return [note(node._('picker.natural.read-only', { folder }))];
  return [element('p', { className: 'herald-note' }, node._('picker.natural.intro'))];
}

const note = (text: string) => element('p', { className: 'herald-note herald-problem' }, text);
