/** A voice in the lists of natural voices. */
import { make } from '../dom.js';
import { size } from '../format.js';
import type { Installation } from './installations.js';
import type { NaturalVoice } from './natural-voice.js';
import { labelOf, measured, NON_COMMERCIAL, progressOf, traitsOf } from './words.js';

const TOO_LARGE = 'The disk has not enough free space for this voice.';

/** The commands of a row. */
export interface RowActions {
  install(voice: NaturalVoice, button: HTMLButtonElement): void;
  cancel(voice: NaturalVoice, button: HTMLButtonElement): void;
  dismiss(voice: NaturalVoice, button: HTMLButtonElement): void;
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
  readonly element = make('li', { className: 'natural' });
  #shown = '';
  #bar: HTMLProgressElement | undefined;
  #progress = make('span', { className: 'note' });

  constructor(private readonly actions: RowActions) {}

  /** Shows a state. The row keeps the focus if it has the focus. */
  show(state: RowState): void {
    const { voice, installation } = state;
    const shown = JSON.stringify([
      { ...state, installation: '' },
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
    const text = isSilent ? 'The service does not reply. The page tries again.' : progressOf(job);
    if (this.#progress.textContent !== text) this.#progress.textContent = text;
    if (this.#bar === undefined) return;
    if (job.total === 0) this.#bar.removeAttribute('value');
    else this.#bar.value = job.bytes / job.total;
  }

  #content(state: RowState): Node[] {
    const { voice, installation } = state;
    const about = make('span', { className: 'about' }, ...describe(state));
    const actions = make('span', { className: 'actions' }, ...this.#buttons(state));
    if (installation?.kind !== 'working') return [about, actions];
    this.#bar = make('progress', { max: 1, ariaLabel: `Installation of ${labelOf(voice)}` });
    return [about, actions, make('span', { className: 'progress' }, this.#bar, this.#progress)];
  }

  #buttons(state: RowState): HTMLButtonElement[] {
    const { installation, voice } = state;
    if (installation?.kind === 'working') {
      return [this.#button('Cancel', `Cancel the installation of ${labelOf(voice)}`, state, 'cancel')];
    }
    if (installation?.kind === 'failed') {
      return [
        this.#button('Try again', `Try again to install ${labelOf(voice)}`, state, 'install'),
        this.#button('Dismiss', `Dismiss the error of ${labelOf(voice)}`, state, 'dismiss'),
      ];
    }
    return voice.installed ? this.#installedButtons(state) : this.#availableButtons(state);
  }

  #installedButtons(state: RowState): HTMLButtonElement[] {
    const { voice, isSpeaking, isWritable } = state;
    const remove = this.#button('Remove', `Remove ${labelOf(voice)}`, state, 'remove');
    remove.disabled = !isWritable;
    if (!isSpeaking) return [remove];
    const speak = this.#button('Speak', `Speak with ${labelOf(voice)}`, state, 'speak');
    return [this.#playButton(voice, `Play ${labelOf(voice)}`), speak, remove];
  }

  #availableButtons(state: RowState): HTMLButtonElement[] {
    const { voice, isWritable } = state;
    const install = this.#button('Install', `Install ${labelOf(voice)}`, state, 'install');
    install.disabled = !isWritable;
    const sample = this.#playButton(voice, `Play sample of ${labelOf(voice)}`);
    return voice.hasSample ? [sample, install] : [install];
  }

  #playButton(voice: NaturalVoice, ariaLabel: string): HTMLButtonElement {
    const play = make('button', { type: 'button', className: 'play', ariaPressed: 'false', ariaLabel });
    play.addEventListener('click', () => this.actions.play(voice, play));
    return play;
  }

  #button(
    label: string,
    ariaLabel: string,
    { voice }: RowState,
    action: Exclude<keyof RowActions, 'play'>,
  ): HTMLButtonElement {
    const button = make('button', { type: 'button', className: 'quiet', ariaLabel }, label);
    button.addEventListener('click', () => this.actions[action](voice, button));
    return button;
  }
}

function messageIn(installation: Installation | undefined): string {
  return installation?.kind === 'failed' ? installation.message : '';
}

function describe({ voice, installation, isTooLarge }: RowState): Node[] {
  const title = make('strong', {}, voice.title);
  const marks = voice.isNonCommercial ? [make('span', { className: 'mark warning' }, NON_COMMERCIAL)] : [];
  const lines = [
    { text: `${traitsOf(voice)} · ${size(voice.bytes)}` },
    { text: `Licence: ${voice.licence || 'see model card'}` },
    { text: voice.installed ? measured(voice.installed) : '' },
    { text: messageIn(installation) || (isTooLarge ? TOO_LARGE : ''), tone: 'bad' },
  ].filter(({ text }) => text !== '');
  return [
    make('span', { className: 'named' }, title, ...marks),
    ...lines.map(({ text, tone = 'plain' }) => {
      const line = make('span', { className: 'note' }, text);
      line.dataset['tone'] = tone;
      return line;
    }),
  ];
}
