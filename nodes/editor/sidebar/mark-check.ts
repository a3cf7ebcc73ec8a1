/** The check of the mark of synthetic speech in a file. */
import { element, textOf } from '@herald-speech/browser';
import { showStatus } from '../lib/dom.js';
import { errorText, sendFile } from '../lib/runtime.js';
import { texts, words } from './words.js';

/** Creates the section. It requests nothing before the user chooses a file. */
export function createMarkCheck(): HTMLElement {
  const heading = element('h3', { className: 'herald-activity-heading', textContent: words('mark.title') });
  const input = element('input', { type: 'file', accept: 'audio/*,.opus,.flac,.aac' });
  input.ariaLabel = words('mark.file');
  const status = element('p', { className: 'herald-activity-empty', role: 'status' });
  input.addEventListener('change', () => void check(input, status));
  return element('section', {}, heading, input, status);
}

async function check(input: HTMLInputElement, status: HTMLElement): Promise<void> {
  const [file] = input.files ?? [];
  showStatus(status, '');
  if (file === undefined) return;
  /** A result of a former file must not appear beside another one. */
  const show = (text: string, isProblem: boolean) => {
    if (file === input.files?.[0]) showStatus(status, text, isProblem);
  };
  try {
    const verdict = textOf((await sendFile('verify', file))['verdict']);
    show(words(`mark.${verdict}`), verdict === 'changed');
  } catch (error) {
    show(errorText(error, texts), true);
  }
}
