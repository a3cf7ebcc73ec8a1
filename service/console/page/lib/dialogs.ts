/** Dialogs that ask the user. */
import { byId } from '@herald-speech/browser';

export interface Question {
  title: string;
  text: string;
  /** Label of the button that confirms. */
  yes: string;
}

/** Asks a question. Returns true if the user confirms. */
export async function confirmed({ title, text, yes }: Question): Promise<boolean> {
  byId('confirm-title', HTMLElement).textContent = title;
  byId('confirm-text', HTMLElement).textContent = text;
  byId('confirm-yes', HTMLElement).textContent = yes;
  return (await answerOf(byId('confirm', HTMLDialogElement))) === 'yes';
}

export interface Naming {
  name: string;
  description: string;
}

/** Asks for a new name and description. Returns undefined if the user cancels. */
export async function renamed(before: Naming, maxLength: number): Promise<Naming | undefined> {
  const dialog = byId('rename', HTMLDialogElement);
  const name = byId('rename-name', HTMLInputElement);
  const description = byId('rename-description', HTMLInputElement);
  name.maxLength = maxLength;
  name.value = before.name;
  description.value = before.description;
  if ((await answerOf(dialog)) !== 'yes') return undefined;
  return { name: name.value.trim() || before.name, description: description.value.trim() };
}

/** Opens a dialog. Resolves with the value of the button that closes it, or '' for the escape key. */
function answerOf(dialog: HTMLDialogElement): Promise<string> {
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => resolve(dialog.returnValue), { once: true }),
  );
}
