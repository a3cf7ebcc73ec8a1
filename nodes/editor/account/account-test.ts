/** The account's "Test": reaches the service with the values as they are in the dialog. */
import { askRuntime, failureIn, type Reply, type Target, wordsOf } from '../ask.js';
import { textOf } from '../text.js';

/** The values of the open dialog. */
export function accountAsTyped(node: EditorNode): Target {
  const names = [...Object.keys(node._def.defaults), 'apiKey'];
  const values = names.map((name): [string, string] => [name, valueOf(name)]);
  return { account: node.id, typed: Object.fromEntries(values) };
}

function valueOf(name: string): string {
  const field = document.getElementById(`node-config-input-${name}`);
  const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  // "Add new" in the list of config nodes stands for none.
  return isField && field.value !== '_ADD_' ? field.value.trim() : '';
}

/** Makes the dialog's button work. */
export function prepareTest(node: EditorNode): void {
  const [pressed, place] = ['herald-test', 'herald-test-result'].map((id) => document.getElementById(id));
  if (!(pressed instanceof HTMLButtonElement) || !place) return;
  pressed.addEventListener('click', () => void test(node, pressed, place));
}

async function test(node: EditorNode, pressed: HTMLButtonElement, place: HTMLElement): Promise<void> {
  const show = (state: string, lines: readonly string[]) => {
    place.dataset['state'] = state;
    place.replaceChildren(...lines.map(paragraph));
  };
  pressed.disabled = true;
  show('busy', [node._('test.asking')]);
  const target = accountAsTyped(node);
  try {
    const { well, lines } = reportIn(await askRuntime('test', target), target, node);
    show(well ? 'well' : 'wrong', lines);
  } catch (failure) {
    show('wrong', [wordsOf(failure, node)]);
  }
  pressed.disabled = false;
}

function paragraph(words: string): HTMLElement {
  const made = document.createElement('p');
  made.textContent = words;
  return made;
}

/** What is known of an account that was reached, in words. */
function reportIn(reply: Reply, { typed }: Target, node: EditorNode): { well: boolean; lines: string[] } {
  const [balance, voice] = [textOf(reply.get('balance')), reply.get('voice')];
  const isHosted = typed['service'] === 'hosted';
  const rate = typed['requestsPerMinute'] || 'auto';
  const limits = rate === 'auto' ? node._('test.rate-auto') : node._('test.rate', { rate });
  const wrong = voice === undefined ? undefined : wordsOf(failureIn(voice), node);
  const lines = [
    node._(isHosted ? 'test.well-hosted' : 'test.well-local'),
    balance === '' ? node._('test.no-balance') : node._('test.balance', { balance }),
    node._('test.voices', { count: textOf(reply.get('voices')) }),
    ...(isHosted ? [limits] : []),
    ...(wrong === undefined ? [] : [node._('test.voice', { wrong })]),
  ];
  return { well: wrong === undefined, lines };
}
