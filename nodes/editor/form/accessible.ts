/** Accessible names for the controls that a typed input adds beside the labelled input. */

/** @param input the row's input, which the typed input hides */
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
  addLabel(label, control('.red-ui-typedInput-type-select'), `${input.id}-type`);
  addLabel(label, control('.red-ui-typedInput-option-trigger'), `${input.id}-option`);
  const expand = control('.red-ui-typedInput-option-expand');
  expand?.setAttribute('title', node._('edit'));
  addLabel(label, expand, `${input.id}-expand`);
}

/** Names a control by the row's label followed by the control's text. */
function addLabel(label: HTMLElement, control: HTMLElement | null, id: string): void {
  if (control === null) return;
  control.id = id;
  control.setAttribute('aria-labelledby', `${label.id} ${id}`);
}
