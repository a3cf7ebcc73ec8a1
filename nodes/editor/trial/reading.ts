/** The line below "Try it" with the text as it will be read. */
import { element, textOf } from '@herald-speech/browser';
import { accountInDialog } from '../form/account-field.js';
import type { Rows } from '../form/rows.js';
import { callRuntime } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';
import { requestOf } from './trial-request.js';

/** Milliseconds without a change until the runtime is asked. */
const PAUSE_MS = 300;
/** Fields of "Try it" that change the words, beside the language and the voice. */
const FIELDS: readonly string[] = ['text', 'markup', 'pronunciations'];

/**
 * Adds the line to the panel.
 * @param language returns the language of the speech
 * @returns a function to call after each change of the dialog
 */
export function prepareReading(
  { place, input }: { place: HTMLElement; input: HTMLInputElement },
  rows: Rows,
  node: EditorNode,
  language: () => string,
): () => void {
  const line = lineIn(place, input);
  let timer: number | undefined;
  let running: AbortController | undefined;
  let asked = '';
  const show = (text: string, read: string) => {
    line.hidden = read === '' || plain(read) === plain(text);
    line.textContent = line.hidden ? '' : node._('try.read-as', { text: read });
  };
  const ask = async () => {
    const target = accountInDialog(node);
    const text = input.value.trim();
    const body = { typed: readingIn(target?.typed), ...wordsOf(rows, text), language: language() };
    if (!line.isConnected || JSON.stringify(body) === asked) return;
    asked = JSON.stringify(body);
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    if (text === '' || target === undefined || !mayRead(body.typed)) return show(text, '');
    try {
      const reply = await callRuntime('read', body, signal);
      if (!signal.aborted) show(text, textOf(reply['text']));
    } catch {
      // "Try it" names the fault of the values.
      if (!signal.aborted) show(text, '');
    }
  };
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), PAUSE_MS);
  };
}

/** Returns the line, which describes the field. */
function lineIn(place: HTMLElement, input: HTMLInputElement): HTMLElement {
  const line = element('p', {
    className: 'herald-note herald-reading',
    id: 'herald-try-reading',
    hidden: true,
  });
  line.dir = 'auto';
  input.setAttribute('aria-describedby', `${input.getAttribute('aria-describedby') ?? ''} ${line.id}`.trim());
  place.append(line);
  return line;
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns the properties of an account that decide about its words. */
const readingIn = ({ service = '', figuresAsWords = '' }: Record<string, string> = {}) => ({
  service,
  figuresAsWords,
});

/** Without these, the service reads figures for itself, and the runtime is not asked. */
const mayRead = ({ service, figuresAsWords }: ReturnType<typeof readingIn>): boolean =>
  !serviceFacts(service).isRemote || figuresAsWords === 'true';

/** Returns the fields of the request of "Try it" that change the words. */
function wordsOf(rows: Rows, text: string): object {
  return Object.fromEntries(Object.entries(requestOf(rows, text)).filter(([name]) => FIELDS.includes(name)));
}
