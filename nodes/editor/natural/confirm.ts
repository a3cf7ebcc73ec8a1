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
    pressed.ariaLabel = isAsking ? `${name} ${labels.asking}` : name;
  };
  pressed.addEventListener('blur', () => ask(false));
  pressed.addEventListener('click', () => {
    if (pressed.dataset['state'] !== 'asking') return ask(true);
    ask(false);
    act();
  });
}
