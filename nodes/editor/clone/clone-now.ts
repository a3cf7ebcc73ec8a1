/** The panel "Clone now": creates a custom voice from a file or a recording, without a flow. */
import { element, type Recording, startRecording, textOf } from '@herald-speech/browser';
import { accountInDialog } from '../form/account-field.js';
import { forgetProblem } from '../form/problems.js';
import { literalOf, type Rows } from '../form/rows.js';
import { button, icon, reveal, showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';

/** The current recording. */
let current: Recording | undefined;

// The microphone must not stay open after the dialog.
RED.events.on('editor:close', () => current?.stop());

/** Fills the panel's element if the form has one. */
export function prepareCloneNow(rows: Rows, node: EditorNode): void {
  const place = document.querySelector<HTMLElement>('.herald-clone');
  if (place === null) return;
  const maxBytes = Number(place.dataset['maxBytes']);
  const file = element('input', { type: 'file', accept: '.wav,.mp3,audio/wav,audio/mpeg', hidden: true });
  const pick = button({}, icon('folder-open-o'), ` ${node._('clone.file')}`);
  const recordLabel = element('span', {}, ` ${node._('clone.record')}`);
  const record = button({}, icon('microphone'), recordLabel);
  const note = element('p', { className: 'herald-note', role: 'status' });
  const label = element('span', {}, node._('clone.label'));
  place.classList.add('form-row');
  place.append(label, element('div', {}, pick, ' ', record, file), note);
  forgetProblem(note, rows);
  const show = (text: string, isProblem = false) => {
    showStatus(note, text, isProblem);
    reveal(note);
  };
  const hasName = () => literalOf(rows, 'name') !== '';
  const send = (sample: File) => cloneSample(sample, maxBytes, rows, node, show);
  pick.addEventListener('click', () => file.click());
  file.addEventListener('change', () => {
    const [chosen] = file.files ?? [];
    if (chosen !== undefined) void send(chosen);
    file.value = '';
  });
  const showRecording = (isOn: boolean) => {
    record.ariaPressed = String(isOn);
    recordLabel.textContent = ` ${node._(isOn ? 'clone.stop' : 'clone.record')}`;
    if (isOn) show(node._('clone.recording'));
  };
  prepareRecord(record, node, { show, showRecording, send, hasName });
}

interface Panel {
  show(text: string, isProblem?: boolean): void;
  showRecording(isOn: boolean): void;
  send(sample: File): Promise<void>;
  /** Whether the form has a name. A recording needs one before its start, so that it is never lost. */
  hasName(): boolean;
}

function prepareRecord(record: HTMLButtonElement, node: EditorNode, panel: Panel): void {
  record.addEventListener('click', () => {
    if (current !== undefined) current.stop();
    else if (panel.hasName()) void start();
    else panel.show(node._('clone.no-name'), true);
  });
  const start = async () => {
    try {
      current = await startRecording();
      panel.showRecording(true);
      const { file } = await current.finished;
      if (record.isConnected) await panel.send(file);
    } catch {
      panel.show(node._('clone.no-microphone'), true);
    } finally {
      current = undefined;
      panel.showRecording(false);
    }
  };
}

/** Creates the voice. Without a name in the form, the voice gets the name of the file. */
async function cloneSample(
  sample: File,
  maxBytes: number,
  rows: Rows,
  node: EditorNode,
  show: Panel['show'],
): Promise<void> {
  const target = accountInDialog(node);
  if (target === undefined) return show(node._('picker.no-account'), true);
  const name = literalOf(rows, 'name') || sample.name.replace(/\.[^.]*$/, '');
  const description = literalOf(rows, 'description');
  if (sample.size > maxBytes) return show(node._('clone.too-large'), true);
  show(node._('clone.asking'));
  try {
    const request = { ...target, name, ...(description && { description }), audio: await base64Of(sample) };
    const reply = await callRuntime('clone', request);
    show(node._('clone.done', { name, voice_id: textOf(reply['voice_id']) }));
  } catch (error) {
    show(errorText(error, node), true);
  }
}

/** Returns the content in base64. */
async function base64Of(blob: Blob): Promise<string> {
  const reader = new FileReader();
  await new Promise<unknown>((resolve, reject) => {
    reader.addEventListener('load', resolve);
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable file')));
    reader.readAsDataURL(blob);
  });
  return typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : '';
}
