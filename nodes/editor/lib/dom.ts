/** Elements in the style of the editor. */
import { element } from '@herald-speech/browser';

/** Creates an icon that screen readers skip. */
export const icon = (name: string): HTMLElement =>
  element('i', { className: `fa fa-${name}`, ariaHidden: 'true' });

/** Creates a button in the style of the editor. A button with only an icon needs a title as its name. */
export function button(
  { className = '', title = '' }: { className?: string; title?: string },
  ...children: readonly (Node | string)[]
): HTMLButtonElement {
  const named = title === '' ? {} : { title, ariaLabel: title };
  return element(
    'button',
    { type: 'button', className: `red-ui-button ${className}`, ...named },
    ...children,
  );
}

/** Replaces the text of a note, and marks it as a problem or removes the mark. */
export function showStatus(note: HTMLElement, text: string, isProblem = false): void {
  note.textContent = text;
  note.classList.toggle('herald-problem', isProblem);
}

/** Scrolls the dialog until an element is visible, or its start if the element is too tall. */
export function reveal(part: Element): void {
  part.scrollIntoView({ block: 'nearest' });
}

/** The ends of a press: a touch that scrolls and a drag have no `pointerup`. */
const ENDS = ['pointerup', 'pointercancel', 'dragend'];

/**
 * Runs an action after the mouse is released, or at once if it is not pressed. A note that appears earlier moves a pressed button away,
 * and the click is lost.
 */
export function afterPress(act: () => void): void {
  if (document.querySelector(':active') === null) return act();
  const over = new AbortController();
  const end = () => {
    over.abort();
    setTimeout(act);
  };
  for (const name of ENDS) document.addEventListener(name, end, { signal: over.signal });
}

/**
 * Runs an action at the second click on a button. The first click asks, until the button loses the focus.
 * @param pressed has a `span` with its label
 */
export function confirmAtSecondClick(
  pressed: HTMLButtonElement,
  labels: { idle: string; asking: string },
  act: () => void,
): void {
  const name = pressed.ariaLabel;
  const ask = (isAsking: boolean) => {
    pressed.dataset['state'] = isAsking ? 'asking' : 'idle';
    (pressed.querySelector('span') ?? pressed).textContent = isAsking ? labels.asking : labels.idle;
    if (name !== null) pressed.ariaLabel = isAsking ? `${name} ${labels.asking}` : name;
  };
  ask(false);
  pressed.addEventListener('blur', () => ask(false));
  pressed.addEventListener('click', () => {
    if (pressed.dataset['state'] !== 'asking') return ask(true);
    ask(false);
    act();
  });
}
