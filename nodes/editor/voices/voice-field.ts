/** A voice field: adds the picker, and shows the name of the typed voice. */
import {
  type Combination,
  debounced,
  element,
  type Voice,
  voicesIn,
  withoutRegion,
} from '@herald-speech/browser';
import { button, icon, reveal, showStatus } from '../lib/dom.js';
import { callRuntime, type Target } from '../lib/runtime.js';
import { VoiceOffer } from '../natural/offer.js';
import { failureText, keepPlace, placeFor, showFound } from './voice-notes.js';
import { openPanel } from './voice-panel.js';

/** Milliseconds without input before the typed voice is looked up. */
const PAUSE_MS = 500;

/** Milliseconds for which the runtime remembers the voices of the local service. */
const FORGET_MS = 1000;

/** A form field with a voice id. */
export interface VoiceField {
  node: EditorNode;
  /** The form row of the field. */
  row: HTMLElement;
  /** The library that the picker lists: `all`, `preset` or `own`. */
  library: string;
  /** Returns the account, undefined if none is selected. */
  target(): Target | undefined;
  /** Returns the typed voice id; '' means the account's default, undefined no known voice. */
  read(): string | undefined;
  /** Selects a voice of the picker, with a language that it speaks. */
  write(voice: Voice): void;
  /** Returns the language, style and model of the form. The language limits the voices of the picker. */
  chosen(): Readonly<Partial<Combination>>;
  /** Receives the voice after each lookup, undefined if it is unknown. */
  onVoice(voice: Voice | undefined): void;
}

/**
 * Adds the picker's button and a note to the field's row.
 * @returns a function that looks the voice up again; call it when the field or the account changes
 */
export function prepareVoiceField(field: VoiceField): () => void {
  const { node, row } = field;
  const open = button({ className: 'herald-pick', title: node._('picker.open') }, icon('search'));
  const note = element('p', { className: 'herald-note', role: 'status' });
  row.classList.add('herald-with-button');
  const offer = new VoiceOffer({
    node,
    note,
    text: () => ` · ${node._('picker.natural.offer.robotic')}`,
    choose: field.write,
    // A field without a voice uses the new one. Another one gets it.
    installed: (use) => (field.read() === '' ? lookUp() : use()),
  });
  const place = element('div', { className: 'herald-voice-notes' }, note, offer.element);
  row.append(open, place);
  open.ariaExpanded = 'false';
  open.addEventListener('click', () =>
    togglePanel(field, { open, note, changed: () => setTimeout(lookUp, FORGET_MS) }),
  );
  const query = () => JSON.stringify([field.target(), field.read(), defaultIn(field)]);
  /** The query of the latest lookup; '' while the next one waits for the end of the input. */
  let latest = '';
  const lookUp = debounced(() => {
    const asked = query();
    latest = asked;
    void showVoice(field, { place, note, offer }, () => asked === latest);
  }, PAUSE_MS);
  const refresh = () => {
    if (query() === latest) return;
    latest = '';
    keepPlace(place, placeFor(field.target(), field.read()));
    // The voice of the former values must not limit the new ones.
    field.onVoice(undefined);
    lookUp();
  };
  refresh();
  return refresh;
}

interface PanelRow {
  open: HTMLButtonElement;
  note: HTMLElement;
  /** Called when natural voices may have been installed or removed: another default voice may speak. */
  changed(): void;
}

function togglePanel(field: VoiceField, { open, note, changed }: PanelRow): void {
  const { node, row, library } = field;
  const target = field.target();
  const close = () => {
    open.ariaExpanded = 'false';
    row.nextElementSibling?.remove();
    open.focus();
    changed();
  };
  if (open.ariaExpanded === 'true') return close();
  if (target === undefined) return showStatus(note, node._('picker.no-account'), true);
  const choose = (voice: Voice) => {
    field.write(voice);
    close();
  };
  const [selected, chosen] = [field.read() ?? '', field.chosen()];
  const panel = openPanel({ node, target, library, selected, chosen, choose, changed, close });
  open.ariaExpanded = 'true';
  row.after(panel);
  panel.querySelector('input')?.focus();
  keepInView(panel);
}

/** Keys that scroll the dialog from a field of the panel. */
const SCROLL_KEYS = new Set(['PageUp', 'PageDown']);

/**
 * Scrolls a panel into view at each change of its size, of the elements around it and of the window. Values of other rows
 * arrive later and move the panel. A panel with an open fold may be higher than the window: the browser then leaves it where it is, so the
 * fold is scrolled into view too. Ends when the panel is removed, when the user scrolls, or when the user presses an element
 * or a key outside the panel. After that, no late change moves the page under the user. A focus outside does not count: Node-RED
 * sets the focus to the first field after the dialog has opened, on a slow computer after the user has opened the panel.
 * @param panel is in the document
 */
function keepInView(panel: HTMLElement): void {
  const ended = new AbortController();
  const end = () => ended.abort();
  const endOutside = ({ target }: Event) => {
    if (!(target instanceof Node && panel.contains(target))) end();
  };
  const endAtKey = ({ key }: KeyboardEvent) => {
    if (SCROLL_KEYS.has(key)) end();
  };
  const show = () => {
    for (const part of [panel, ...panel.querySelectorAll('details[open]')]) reveal(part);
  };
  const observer = new ResizeObserver(() => (panel.isConnected ? show() : end()));
  for (const one of [panel, ...ancestorsOf(panel)]) observer.observe(one);
  ended.signal.addEventListener('abort', () => observer.disconnect());
  const options = { signal: ended.signal, capture: true, passive: true };
  for (const scroll of ['wheel', 'touchmove']) window.addEventListener(scroll, end, options);
  for (const use of ['pointerdown', 'keydown']) window.addEventListener(use, endOutside, options);
  window.addEventListener('keydown', endAtKey, options);
}

interface VoiceNotes {
  place: HTMLElement;
  note: HTMLElement;
  offer: VoiceOffer;
}

/** Returns the elements around an element. Their sizes change with the rows above it, and with the window. */
function ancestorsOf({ parentElement }: Element): Element[] {
  return parentElement === null ? [] : [parentElement, ...ancestorsOf(parentElement)];
}

/**
 * Looks the typed voice up and shows its name. If the service does not answer, the field keeps its value.
 * @param isLatest returns false once a newer lookup has started
 */
async function showVoice(
  field: VoiceField,
  { place, note, offer }: VoiceNotes,
  isLatest: () => boolean,
): Promise<void> {
  const { node } = field;
  const [target, voice_id] = [field.target(), field.read()];
  if (target === undefined || voice_id === undefined) {
    field.onVoice(undefined);
    void offer.show(target, '');
    return showStatus(note, '');
  }
  try {
    const { voices } = voicesIn(await callRuntime('voices', { ...target, voice_id, ...defaultIn(field) }));
    if (!note.isConnected || !isLatest()) return;
    const [voice] = voices;
    field.onVoice(voice);
    showFound(note, voice, { ...target, voice_id }, node);
    void offer.show(target, robotic(voice, field));
  } catch (error) {
    if (!note.isConnected || !isLatest()) return;
    field.onVoice(undefined);
    void offer.show(target, '');
    keepPlace(place, 'note');
    showStatus(note, failureText(error, voice_id, node), true);
  }
}

/** Returns the typed language for a blank field: the default voice depends on it. */
function defaultIn(field: VoiceField): { language?: string } {
  const { language = '' } = field.chosen();
  return field.read() === '' && /^[a-z]{2}(?:[-_][A-Za-z0-9]{2,8})*$/.test(language) ? { language } : {};
}

/** Returns the language of a voice that sounds robotic; '' for another one. */
function robotic(voice: Voice | undefined, field: VoiceField): string {
  if (voice === undefined || voice.isNatural || voice.own) return '';
  const { language = '' } = field.chosen();
  const code = withoutRegion(language);
  return voice.language.includes(code) ? code : (voice.language[0] ?? '');
}
