/** The panel "Try it": speaks a sample text with the values in the dialog. */
import {
  truncated,
  element,
  TRIAL_LANGUAGE,
  type Fields,
  languageFor,
  listOf,
  textOf,
  trialText,
  type Voice,
  whileBusy,
  withoutRegion,
} from '@herald-speech/browser';
import { accountField, accountInDialog } from '../form/account-field.js';
import { forgetProblem } from '../form/problems.js';
import { typedUrl } from '../form/players.js';
import { labelsOfDynamic, literalOf, onEdit, type Rows } from '../form/rows.js';
import { button, icon, reveal, showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';
import { stopSound, toggleSound } from '../lib/sound.js';
import { prepareReading } from './reading.js';
import type { ChosenSpeakers } from '../speakers/speakers-row.js';
import { callSpeakers, proofText } from '../speakers/test-sound.js';
import { requestOf, triedFields } from './trial-request.js';

/**
 * Fills the panel's element if the form has one.
 * @param speakers the chosen speakers, which play the text in place of this browser
 * @returns a function that sets the voice of the form; undefined means an unknown voice
 */
export function prepareTryIt(
  rows: Rows,
  node: EditorNode,
  speakers: ChosenSpeakers | undefined,
): (voice: Voice | undefined) => void {
  const place = document.querySelector<HTMLElement>('.herald-try');
  if (place === null) return () => undefined;
  const maxLength = Number(place.dataset['maxLength']);
  const [id, noteId] = ['herald-try-text', 'herald-try-note'];
  const label = element('label', { htmlFor: id }, icon('headphones'), ` ${node._('try.label')}`);
  const input = element('input', { type: 'text', id, maxLength, dir: 'auto' });
  input.setAttribute('aria-describedby', noteId);
  const speak = button({ title: node._('try.speak') }, icon('play'));
  const note = element('p', { className: 'herald-note', role: 'status', id: noteId });
  place.classList.add('form-row', 'herald-with-button');
  place.append(label, input, speak, note);
  const showVoice = suggestText({ place, input }, rows, node);
  forgetProblem(note, rows);
  input.addEventListener('input', () => note.classList.contains('herald-problem') && showStatus(note, ''));
  const start = () => void tryIt(rows, node, { text: input.value, speak, note, speakers });
  speak.addEventListener('click', start);
  onEnter(input, () => {
    stopSound();
    start();
  });
  return showVoice;
}

/** Calls `work` for the key Enter. With Shift it is a line break, with Ctrl or Cmd it closes the dialog. */
function onEnter(input: HTMLElement, work: () => void): void {
  input.addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey, isComposing } = event;
    if (key !== 'Enter' || shiftKey || ctrlKey || metaKey || isComposing) return;
    event.preventDefault();
    work();
  });
}

/** Fields that change the suggestion or its words. */
const SHOWN: readonly string[] = ['text', 'language', 'markup', 'pronunciations'];

/**
 * Suggests the node's text, or a sentence in its language, until the user edits the input.
 * @returns a function that sets the voice of the form
 */
function suggestText(
  panel: { place: HTMLElement; input: HTMLInputElement },
  rows: Rows,
  node: EditorNode,
): (voice: Voice | undefined) => void {
  const { input } = panel;
  let isEdited = false;
  let voice: Voice | undefined;
  const spoken = () => languageIn(rows, voice, node);
  const showReading = prepareReading(panel, rows, node, () => tagFor(spoken(), voice, node));
  const suggest = () => {
    showReading();
    if (isEdited) return;
    const { text, language } = trialText(spoken());
    const typed = literalOf(rows, 'text').replace(/\s+/g, ' ');
    // The values of a template depend on a message.
    const nodeText = typed.includes('{{') ? '' : truncated(typed, input.maxLength);
    input.value = nodeText || text;
    input.lang = nodeText === '' ? language : '';
  };
  input.addEventListener('input', () => {
    isEdited = true;
    input.lang = '';
    showReading();
  });
  for (const row of rows) if (SHOWN.includes(row.field)) onEdit(row, suggest);
  const account = accountField();
  if (account !== undefined) $(account).on('change', suggest);
  suggest();
  return (known) => {
    voice = known;
    suggest();
  };
}

/** Returns the language that the runtime would use: the typed one, or a language of the voice, the account's first. */
function languageIn(rows: Rows, voice: Voice | undefined, node: EditorNode): string {
  const preferred = accountInDialog(node)?.typed['language'] || TRIAL_LANGUAGE;
  return literalOf(rows, 'language') || (voice === undefined ? preferred : languageFor(voice, preferred));
}

/** Returns the language with the region of the voice, which decides its words. A remote service gets the words of the language. */
function tagFor(language: string, voice: Voice | undefined, node: EditorNode): string {
  const { isRemote } = serviceFacts(accountInDialog(node)?.typed['service']);
  return !isRemote && voice?.locale.startsWith(`${withoutRegion(language)}-`) ? voice.locale : language;
}

interface Trial {
  text: string;
  speak: HTMLButtonElement;
  note: HTMLElement;
  speakers: ChosenSpeakers | undefined;
}

async function tryIt(rows: Rows, node: EditorNode, { text, speak, note, speakers }: Trial): Promise<void> {
  const target = accountInDialog(node);
  const show = (text: string, isProblem = false) => {
    showStatus(note, text, isProblem);
    reveal(note);
  };
  if (target === undefined) return show(node._('picker.no-account'), true);
  const { isFree } = serviceFacts(target.typed['service']);
  const chosen = speakers?.targets() ?? [];
  try {
    if (chosen.length > 0) {
      const request = {
        ...target,
        url: typedUrl(rows, node, speakers?.isNetworked()),
        request: requestOf(rows, text),
        speakers: chosen,
      };
      return await whileBusy(speak, async () => {
        show(node._('try.asking'));
        const onStart = () => show(node._('speakers.playing'));
        const { played } = await callSpeakers('speakers/say', request, { onStart });
        show(
          [...listOf(played).map((one) => proofText(one, node)), omittedText(rows, node)].join(' ').trim(),
        );
      });
    }
    const load = async () => {
      show(node._('try.asking'));
      const reply = await callRuntime('speak', { ...target, request: requestOf(rows, text) });
      show([resultText(reply, isFree, node), omittedText(rows, node)].filter(Boolean).join(' '));
      return reply;
    };
    await toggleSound(speak, load, { node: node.id });
  } catch (error) {
    show(errorText(error, node), true);
  }
}

/** Returns the duration of spoken audio and its charge as a text. */
export function resultText(reply: Fields, isFree: boolean, node: EditorNode): string {
  const seconds = tenths(reply['duration']);
  if (isFree) return node._('try.free', { seconds });
  const charged = textOf(reply['chargedSeconds']);
  if (charged === '') return node._('try.unknown', { seconds });
  return node._('try.charged', { seconds, charged: tenths(charged) });
}

/** Formats seconds with one decimal, in the language of the editor. */
const tenths = (seconds: unknown): string =>
  Number(seconds).toLocaleString(RED.i18n.lang(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Returns a text that lists the fields whose value depends on the message, or ''. */
function omittedText(rows: Rows, node: EditorNode): string {
  const fields = labelsOfDynamic(rows, triedFields(rows), node);
  return fields === '' ? '' : node._('try.left-out', { fields });
}
