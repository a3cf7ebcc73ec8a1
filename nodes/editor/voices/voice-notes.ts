/** The notes below a voice field: the name of the voice or the reason why there is none, and the place for them. */
import { element, type Voice } from '@herald-speech/browser';
import { showStatus } from '../lib/dom.js';
import { languageList, nameOf, slowText, voiceWords } from '../lib/languages.js';
import { errorText, RuntimeError, type Target } from '../lib/runtime.js';
import { serviceFacts } from '../lib/services.js';

/** The lines that stay free below the field, so that the reply of the service does not move the rows below it. */
type Place = 'none' | 'note' | 'note-and-offer';

/** Returns the place for the notes about a typed voice. Only the local service offers natural voices. */
export function placeFor(target: Target | undefined, voice_id: string | undefined): Place {
  if (target === undefined || voice_id === undefined) return 'none';
  return target.typed['service'] === 'local' ? 'note-and-offer' : 'note';
}

export const keepPlace = (notes: HTMLElement, place: Place): void => void (notes.dataset['place'] = place);

/** The failures of a default voice that the user must correct: no voice of the language, or a wrong key. */
const WRONG: readonly string[] = ['bad-request', 'unauthorized'];

/** Returns the error of the lookup. If the default voice is not available, only some reasons count. */
export function failureText(error: unknown, voice_id: string, node: EditorNode): string {
  if (voice_id !== '') return `${node._('picker.kept')} ${errorText(error, node)}`;
  return error instanceof RuntimeError && WRONG.includes(error.code) ? errorText(error, node) : '';
}

/** Shows the name of a voice, and the facts about a typed one. */
export function showFound(
  note: HTMLElement,
  voice: Voice | undefined,
  { voice_id, typed }: Target & { voice_id: string },
  node: EditorNode,
): void {
  const isDefault = voice_id === '';
  if (voice === undefined)
    return showStatus(note, isDefault ? '' : node._('picker.unknown', { voice_id }), true);
  if (voice.voice_id === serviceFacts(typed['service']).defaultVoice)
    return showStatus(note, node._('picker.usual-server'));
  showStatus(note, isDefault ? node._('picker.usual', { ...voice }) : voice.name);
  if (!isDefault) note.append(element('span', { className: 'herald-facts' }, factsOf(voice, node)));
}

/** Returns the text after the name of a voice. */
function factsOf(voice: Voice, node: EditorNode): string {
  const { own, gender, age, language, isLive } = voice;
  const languages = language.length === 0 ? '' : languageList(language);
  const person = [gender && nameOf('gender', gender), age && nameOf('age', age)];
  const warning = isLive ? '' : voiceWords()['not-live'];
  const facts = [own ? node._('picker.own') : '', ...person, languages, warning, slowText(voice)];
  return facts
    .filter(Boolean)
    .map((fact) => ` · ${fact}`)
    .join('');
}
