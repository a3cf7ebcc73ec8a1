/** The field of a voice: its picker, what is known of the voice in it, and what the voice narrows. */
import { accountField, accountIn } from '../account/account-field.js';
import { askRuntime, type Target, targetOf, wordsOf } from '../ask.js';
import { button, debounced, element, icon } from '../dom.js';
import { type Combination, type Voice, voicesIn } from './voice.js';
import { openPanel } from './voice-panel.js';

/** From the last letter of an identifier to the question whose it is. */
const PAUSE_MS = 500;

/** A field of a form that takes a voice. */
export interface VoiceField {
  node: EditorNode;
  /** The row that the field is in. */
  row: HTMLElement;
  /** Own voices, preset ones or all. */
  library: string;
  /** The account that voices are asked of. */
  target(): Target | undefined;
  /** The voice that is typed; blank is the account's; undefined is another source's. */
  read(): string | undefined;
  write(voice_id: string): void;
  /** What is chosen beside the voice: the picker plays that sample. */
  chosen(): Readonly<Partial<Combination>>;
  /** Told which voice it is, each time that this is known anew. */
  known(voice: Voice | undefined): void;
}

/** The account that the open dialog of a node names. */
export function accountInDialog(): Target | undefined {
  const field = accountField();
  return field && targetOf(accountIn(field));
}

/**
 * Puts the picker's button beside a field and a note below it.
 * @returns looks again, some time after the last call: to be called when the field or its account has changed
 */
export function prepareVoiceField(field: VoiceField): () => void {
  const { node, row } = field;
  const open = button({ className: 'herald-pick', title: node._('picker.open') }, icon('search'));
  const note = element('p', { className: 'herald-note', role: 'status' });
  row.classList.add('herald-with-button');
  row.append(open, note);
  open.ariaExpanded = 'false';
  open.addEventListener('click', () => togglePanel(field, open, note));
  let asked = '';
  const look = debounced(() => {
    const question = JSON.stringify([field.target(), field.read()]);
    if (question !== asked) void tell(field, note, () => question === asked);
    asked = question;
  }, PAUSE_MS);
  look();
  return look;
}

function togglePanel(field: VoiceField, open: HTMLButtonElement, note: HTMLElement): void {
  const { node, row, library } = field;
  const target = field.target();
  const close = () => {
    open.ariaExpanded = 'false';
    row.nextElementSibling?.remove();
    open.focus();
  };
  if (open.ariaExpanded === 'true') return close();
  if (target === undefined) return say(note, node._('picker.no-account'), true);
  const choose = (voice: Voice) => {
    field.write(voice.voice_id);
    close();
  };
  const [selected, chosen] = [field.read() ?? '', field.chosen()];
  const panel = openPanel({ node, target, library, selected, chosen, choose, close });
  open.ariaExpanded = 'true';
  row.after(panel);
  panel.querySelector('input')?.focus();
}

/** Says whose identifier it is. A service that does not answer changes nothing: the voice stays as it is. */
async function tell(field: VoiceField, note: HTMLElement, isWanted: () => boolean): Promise<void> {
  const { node } = field;
  const [target, voice_id] = [field.target(), field.read()];
  if (target === undefined || voice_id === undefined) {
    field.known(undefined);
    return say(note, '');
  }
  try {
    const { voices } = voicesIn(await askRuntime('voices', { ...target, voice_id }));
    if (!note.isConnected || !isWanted()) return;
    const [voice] = voices;
    field.known(voice);
    if (voice !== undefined)
      say(note, voice_id === '' ? node._('picker.usual', { ...voice }) : nameOf(voice, node));
    else say(note, voice_id === '' ? '' : node._('picker.unknown', { voice_id }), true);
  } catch (failure) {
    if (!note.isConnected || !isWanted()) return;
    field.known(undefined);
    say(note, voice_id === '' ? '' : `${node._('picker.kept')} ${wordsOf(failure, node)}`, true);
  }
}

function nameOf({ name, own, gender, age }: Voice, node: EditorNode): string {
  return [name, own ? node._('picker.own') : '', gender, age].filter(Boolean).join(' · ');
}

function say(note: HTMLElement, words: string, isProblem = false): void {
  note.textContent = words;
  note.classList.toggle('herald-problem', isProblem);
}
