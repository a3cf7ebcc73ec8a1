/** The reasons why a service cannot install natural voices, with the fix. */
import { element, type NaturalList } from '@herald-speech/browser';

/** Returns a note with the fix if the engine is missing or the folder is read-only; otherwise the introduction. */
export function engineHint(list: NaturalList, node: EditorNode): HTMLElement[] {
  const { isEngineInstalled, command, folder, isWritable } = list;
  if (!isEngineInstalled)
    return [
      note(whereToRun(list, node)),
      element('p', {}, element('code', { className: 'herald-command', tabIndex: 0 }, command)),
      note(node._('picker.natural.again')),
    ];
  if (!isWritable) return [note(node._('picker.natural.read-only', { folder }))];
  return [element('p', { className: 'herald-note' }, node._('picker.natural.intro'))];
}

function whereToRun({ userDir }: NaturalList, node: EditorNode): string {
  if (userDir === '') return node._('picker.natural.no-engine-elsewhere');
  return node._('picker.natural.no-engine', { folder: userDir });
}

const note = (text: string) => element('p', { className: 'herald-note herald-problem' }, text);
