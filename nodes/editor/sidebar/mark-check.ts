/** The check of the mark of synthetic speech in a file. */
import { element, textOf, whileBusy } from '@herald-speech/browser';
import { button, icon, showStatus } from '../lib/dom.js';
import { errorText, RuntimeError, sendFile } from '../lib/runtime.js';
import { texts, words } from './words.js';

/** Bytes, as the limit of the runtime. A larger file is not sent. */
const MAX_BYTES = 100_000_000;
const TOO_LARGE = 413;

/** Creates the section. It requests nothing before the user chooses a file. */
export function createMarkCheck(): HTMLElement {
  const input = element('input', { type: 'file', accept: 'audio/*,.opus,.flac,.aac', hidden: true });
  const pick = button({}, icon('check-circle-o'), ` ${words('mark.file')}`);
  const status = element('p', { className: 'herald-activity-empty', role: 'status' });
  pick.addEventListener('click', () => {
    if (pick.ariaBusy !== 'true') input.click();
  });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file !== undefined) void whileBusy(pick, () => check(file, status));
    // The same file can have changed when the user chooses it again.
    input.value = '';
  });
  const title = words('mark.title');
  const heading = element('h3', { className: 'herald-activity-heading', textContent: title });
  return element('section', { ariaLabel: title }, heading, pick, input, status);
}

async function check(file: File, status: HTMLElement): Promise<void> {
  const show = (text: string, isProblem = false) => showStatus(status, `${file.name}: ${text}`, isProblem);
  show(words('mark.checking'));
  try {
    if (file.size > MAX_BYTES) throw new RuntimeError('too-large', '', TOO_LARGE);
    const verdict = textOf((await sendFile('verify', file))['verdict']);
    show(words(`mark.${verdict}`), verdict === 'changed');
  } catch (error) {
    // A proxy before Node-RED can have a smaller limit.
    const isLarge = error instanceof RuntimeError && error.status === TOO_LARGE;
    show(isLarge ? words('mark.too-large') : errorText(error, texts), true);
  }
}
