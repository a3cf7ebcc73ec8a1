/**
 * Gives the focus back to the control that had it before another dialog opened, such as the JSON editor, when that dialog closes: Node-RED
 * gives it to no control.
 */
export function keepFocus(): void {
  const form = document.querySelector<HTMLElement>('.herald-form');
  if (form === null) return;
  let latest: HTMLElement | undefined;
  form.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) latest = target;
  });
  const restore = () => {
    if (form.isConnected && document.activeElement === document.body) latest?.focus({ preventScroll: true });
  };
  RED.events.on('editor:change', restore);
  // jQuery UI reports a removed form, and not one that waits below another dialog.
  $(form).on('remove', () => RED.events.off('editor:change', restore));
}
