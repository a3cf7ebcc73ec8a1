/** A voice in the lists of natural voices. */
import { element, type NaturalVoice, showProgress } from '@herald-speech/browser';
import { playButton, quietButton } from '../lib/dom.js';
import { size } from '../lib/format.js';
import { type Key, text } from '../lib/text.js';
import type { Installation } from './installations.js';
import { voiceLabelOf, measured, nonCommercial, progressOf, traitsOf } from './words.js';

/** The commands of a row. */
export interface VoiceActions {
  install(voice: NaturalVoice, button: HTMLButtonElement): void;
  cancel(voice: NaturalVoice, button: HTMLButtonElement): void;
  dismiss(voice: NaturalVoice, button: HTMLButtonElement): void;
  measure(voice: NaturalVoice, button: HTMLButtonElement): void;
  remove(voice: NaturalVoice, button: HTMLButtonElement): void;
  /** Selects the installed voice for the next text. */
  speak(voice: NaturalVoice): void;
  /** Plays the sample or, after the installation, a sentence. */
  play(voice: NaturalVoice, button: HTMLButtonElement): void;
}

export interface RowState {
  voice: NaturalVoice;
  installation: Installation | undefined;
  /** False if the service can neither install nor remove a voice. */
  isWritable: boolean;
  /** Whether the service lists the installed voice and speaks with it. */
  isSpeaking: boolean;
  /** Whether the disk has not enough free space for the voice. */
  isTooLarge: boolean;
}

export class NaturalRow {
  readonly element = element('li', { className: 'natural' });
  #shown = '';
  #bar: HTMLProgressElement | undefined;
  #progress = element('span', { className: 'note' });

  constructor(private readonly actions: VoiceActions) {}

  /** Shows a state. The row keeps the focus if it has the focus. */
  show(state: RowState): void {
    const { voice, installation } = state;
    const { job: _, ...facts } = voice;
    // Progress does not replace the buttons: a press at this moment would be lost.
    const shown = JSON.stringify([
      { ...state, voice: facts, installation: '' },
      installation?.kind,
      messageIn(installation),
    ]);
    if (shown !== this.#shown) {
      this.#shown = shown;
      const hasFocus = this.element.contains(document.activeElement);
      this.element.replaceChildren(...this.#content(state));
      if (hasFocus) this.focus();
    }
    if (installation?.kind === 'working') this.showProgress(installation);
    this.element.dataset['voice'] = voice.name;
  }

  /** Focuses the first button. */
  focus(): void {
    this.element.querySelector<HTMLButtonElement>('.actions button:not(:disabled)')?.focus();
  }

  showProgress({ job, isSilent }: Extract<Installation, { kind: 'working' }>): void {
    const progress = isSilent ? text('natural.silent') : progressOf(job);
    if (this.#progress.textContent !== progress) this.#progress.textContent = progress;
    if (this.#bar !== undefined) showProgress(this.#bar, job.bytes, job.total);
  }

  #content(state: RowState): Node[] {
    const { voice, installation } = state;
    const about = element('span', { className: 'about' }, ...describe(state));
    const actions = element('span', { className: 'actions' }, ...this.#buttons(state));
    if (installation?.kind !== 'working') return [about, actions];
    const name = voice.installed ? 'natural.measurement' : 'natural.progress';
    this.#bar = element('progress', { ariaLabel: text(name, { name: voiceLabelOf(voice) }) });
    return [about, actions, element('span', { className: 'progress' }, this.#bar, this.#progress)];
  }

  #buttons(state: RowState): HTMLButtonElement[] {
    const { installation, voice } = state;
    if (installation?.kind === 'working') {
      const name = voice.installed ? 'natural.cancel-measurement' : 'natural.cancel-of';
      return [this.#button('cancel', name, state, 'cancel')];
    }
    if (installation?.kind === 'failed') {
      return [
        this.#button('natural.retry', 'natural.retry-of', state, 'install'),
        this.#button('natural.dismiss', 'natural.dismiss-of', state, 'dismiss'),
      ];
    }
    return voice.installed ? this.#installedButtons(state) : this.#availableButtons(state);
  }

  #installedButtons(state: RowState): HTMLButtonElement[] {
    const { voice, isSpeaking, isWritable } = state;
    const remove = this.#button('natural.remove', 'natural.remove-of', state, 'remove');
    remove.disabled = !isWritable;
    const measure = this.#button('natural.measure', 'natural.measure-of', state, 'measure');
    if (!isSpeaking) return [measure, remove];
    const speak = this.#button('natural.speak', 'natural.speak-with', state, 'speak');
    return [this.#playButton(voice, 'natural.play'), speak, measure, remove];
  }

  #availableButtons(state: RowState): HTMLButtonElement[] {
    const { voice, isWritable } = state;
    const install = this.#button('natural.install', 'natural.install-of', state, 'install');
    install.disabled = !isWritable;
    const sample = this.#playButton(voice, 'natural.play-sample');
    return voice.hasSample ? [sample, install] : [install];
  }

  #playButton(voice: NaturalVoice, name: Key): HTMLButtonElement {
    const play = playButton(text(name, { name: voiceLabelOf(voice) }));
    play.addEventListener('click', () => this.actions.play(voice, play));
    return play;
  }

  #button(
    label: Key,
    name: Key,
    { voice }: RowState,
    action: Exclude<keyof VoiceActions, 'play'>,
  ): HTMLButtonElement {
    const button = quietButton(text(label), text(name, { name: voiceLabelOf(voice) }));
    button.addEventListener('click', () => this.actions[action](voice, button));
    return button;
  }
}

function messageIn(installation: Installation | undefined): string {
  return installation?.kind === 'failed' ? installation.message : '';
}

function describe({ voice, installation, isTooLarge }: RowState): Node[] {
  const title = element('strong', {}, voice.title);
  const marks = voice.isNonCommercial
    ? [element('span', { className: 'mark warning' }, nonCommercial())]
    : [];
  const lines = [
    { line: `${traitsOf(voice)} · ${size(voice.bytes)}` },
    { line: `${text('natural.licence')} ${voice.licence || text('natural.in-card')}` },
    { line: voice.installed ? measured(voice.installed) : '' },
    { line: messageIn(installation) || (isTooLarge ? text('natural.too-large') : ''), tone: 'bad' },
  ].filter(({ line }) => line !== '');
  return [
    element('span', { className: 'named' }, title, ...marks),
    ...lines.map(({ line, tone = 'plain' }) => {
      const note = element('span', { className: 'note' }, line);
      note.dataset['tone'] = tone;
      return note;
    }),
  ];
}
