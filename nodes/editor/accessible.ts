/** Names for the controls that a typed input puts in place of the input that its label belongs to. */

/** @param input the row's own input, which the typed input has hidden */
export function nameControls(input: HTMLInputElement, node: EditorNode): void {
  const label = document.querySelector<HTMLLabelElement>(`label[for="${input.id}"]`);
  const container = input.nextElementSibling;
  if (label === null || container === null) return;
  label.id = `${input.id}-label`;
  const control = (selector: string) => container.querySelector<HTMLElement>(selector);
  const visible = control('.red-ui-typedInput-input');
  if (visible !== null) {
    visible.id = `${input.id}-value`;
    label.htmlFor = visible.id;
  }
  nameAfter(label, control('.red-ui-typedInput-type-select'), `${input.id}-type`);
  nameAfter(label, control('.red-ui-typedInput-option-trigger'), `${input.id}-option`);
  const expand = control('.red-ui-typedInput-option-expand');
  expand?.setAttribute('title', node._('edit'));
  nameAfter(label, expand, `${input.id}-expand`);
}

/** The label's words, then the control's own. */
function nameAfter(label: HTMLElement, control: HTMLElement | null, id: string): void {
  if (control === null) return;
  control.id = id;
  control.setAttribute('aria-labelledby', `${label.id} ${id}`);
}
