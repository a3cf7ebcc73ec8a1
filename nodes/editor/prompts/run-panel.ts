/** The buttons and the progress of a run of the deployed node. */
import { element, textOf, whileBusy } from '@herald-speech/browser';
import { accountField } from '../form/account-field.js';
import type { Rows } from '../form/rows.js';
import { shownOf } from '../form/saved.js';
import { button, icon, reveal, showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import { progressText, runResultText } from './describe.js';
import { type RunState, runStateIn } from './run-state.js';

/** Milliseconds between two looks at a run. */
const PAUSE_MS = 1000;

type Action = 'run' | 'pause' | 'resume' | 'stop';

export interface RunPanel {
  buttons: readonly HTMLButtonElement[];
  progress: HTMLElement;
  /** Shows a run that a message has started. */
  look(): Promise<void>;
}

/**
 * Creates the buttons Run, Pause, Resume and Stop.
 * @param note has the result of a run and the errors
 */
export function createRunPanel(rows: Rows, node: EditorNode, note: HTMLElement, events: RunEvents): RunPanel {
  return new Runs(rows, node, note, events);
}

interface RunEvents {
  /** Is called when the user presses a button. */
  onPress(): void;
  /** Is called after a run that this dialog has seen. */
  onEnd(): Promise<void>;
}

class Runs implements RunPanel {
  private readonly run: HTMLButtonElement;
  private readonly pause: HTMLButtonElement;
  private readonly resume: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly bar: HTMLProgressElement;
  private readonly step = element('small');
  private isFollowing = false;
  /** Whether the user has stopped the run here. */
  private isStopped = false;
  readonly progress: HTMLElement;

  constructor(
    private readonly rows: Rows,
    private readonly node: EditorNode,
    private readonly note: HTMLElement,
    private readonly events: RunEvents,
  ) {
    this.run = this.button('run', 'play-circle-o', node._('prompts.run'));
    this.pause = this.button('pause', 'pause', node._('prompts.pause'));
    this.resume = this.button('resume', 'play', node._('prompts.resume'));
    this.stop = this.button('stop', 'stop', node._('prompts.stop'));
    this.bar = element('progress', { ariaLabel: node._('prompts.progress') });
    this.progress = element('div', { className: 'herald-prompts-progress' }, this.bar, this.step);
    this.show(undefined);
  }

  get buttons(): readonly HTMLButtonElement[] {
    return [this.run, this.pause, this.resume, this.stop];
  }

  async look(): Promise<void> {
    // Without a deployed node or a permission, the dialog shows no run.
    const state = await this.ask('state').catch(() => undefined);
    if (state?.phase !== undefined) await this.follow(state);
  }

  private button(action: Action, symbol: string, label: string): HTMLButtonElement {
    const pressed = button({}, icon(symbol), ` ${label}`);
    pressed.dataset['action'] = action;
    pressed.addEventListener('click', () => void whileBusy(pressed, () => this.act(action)));
    return pressed;
  }

  private async act(action: Action): Promise<void> {
    this.events.onPress();
    this.tell('');
    if (action === 'run' && !isDeployed(this.rows, this.node))
      return this.tell(this.node._('prompts.deploy'), true);
    this.isStopped = action === 'stop';
    try {
      const state = await this.ask(action);
      if (state === undefined) return this.tell(this.node._('prompts.deploy'), true);
      void this.follow(state);
      reveal(this.progress);
    } catch (error) {
      this.tell(errorText(error, this.node), true);
    }
  }

  /** Shows a text in view. */
  private tell(text: string, isProblem = false): void {
    showStatus(this.note, text, isProblem);
    if (text !== '') reveal(this.note);
  }

  private async ask(action: Action | 'state'): Promise<RunState | undefined> {
    return runStateIn(await callRuntime(`prompts/${action}`, { node: this.node.id }));
  }

  /** Shows the run until it has ended or the dialog is closed. The run goes on if the dialog closes. */
  private async follow(begun: RunState): Promise<void> {
    this.show(begun);
    if (this.isFollowing) return;
    this.isFollowing = true;
    try {
      let state: RunState | undefined = begun;
      while (state?.phase !== undefined) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        if (!this.progress.isConnected) return;
        state = await this.ask('state');
        this.show(state);
      }
      if (this.isStopped) this.tell(this.node._('prompts.stopped'));
      else if (state !== undefined) this.tell(runResultText(state, this.node), state.error !== '');
      await this.events.onEnd();
      reveal(this.note);
    } catch (error) {
      this.show(undefined);
      this.tell(errorText(error, this.node), true);
    } finally {
      this.isFollowing = false;
    }
  }

  /** Shows the buttons of the state, and keeps the focus on one of them. */
  private show(state: RunState | undefined): void {
    const hadFocus = this.buttons.some((one) => one === document.activeElement);
    const phase = state?.phase;
    this.run.hidden = phase !== undefined;
    this.pause.hidden = phase !== 'running';
    this.resume.hidden = phase !== 'paused';
    this.stop.hidden = phase === undefined;
    this.progress.hidden = phase === undefined;
    if (state?.phase !== undefined) {
      this.step.textContent = progressText(state, this.node);
      this.bar.max = Math.max(1, state.count);
      this.bar.value = state.done;
    }
    const isLost = hadFocus && this.buttons.every((one) => one.hidden || one !== document.activeElement);
    if (isLost) this.buttons.find(({ hidden }) => !hidden)?.focus();
  }
}

/** Whether the dialog has the values of the deployed node. Only these have an effect on a run. */
function isDeployed(rows: Rows, node: EditorNode): boolean {
  const account = accountField()?.value ?? '';
  const isSameAccount =
    account === '_ADD_' ? textOf(node['account']) === '' : account === textOf(node['account']);
  return (
    node['changed'] !== true &&
    isSameAccount &&
    rows.every((row) => {
      const saved = shownOf(row, node);
      return saved.value === row.input.value.trim() && saved.type === row.type.value;
    })
  );
}
