/** One speaker in the sidebar. */
import { element, textOf } from '@herald-speech/browser';
import { changeNode } from '../lib/config-nodes.js';
import { button, icon } from '../lib/dom.js';
import { sentence } from '../lib/runtime.js';
import { addSpeaker, SPEAKER } from '../speakers/found.js';
import { speakerFacts, type ListedSpeaker } from '../speakers/listed.js';
import { proofText } from '../speakers/test-sound.js';
import type { ShownSpeaker } from './speaker-state.js';
import { clock, words } from './words.js';

const STATES: Readonly<Record<NonNullable<ShownSpeaker['is']>, string>> = {
  idle: 'speakers.idle',
  failed: 'speakers.failed',
  waiting: 'speakers.waiting',
  playing: 'speakers.playing',
};
/** Percent. */
const FULL_VOLUME = '100';

/** The row of a speaker. Updates keep its elements, so that the focus stays. */
export class SpeakerRow {
  private readonly name = element('strong');
  private readonly facts = element('div', { className: 'herald-activity-facts' });
  private readonly last = element('div', { className: 'herald-activity-facts' });
  private readonly volume = element('input', { type: 'range', min: '0', max: FULL_VOLUME, step: '5' });
  private readonly percent = element('output');
  private readonly loudness = element('label', { className: 'herald-activity-facts herald-speaker-volume' });
  private readonly play: HTMLButtonElement;
  private readonly edit: HTMLButtonElement;
  private readonly add: HTMLButtonElement;
  readonly item: HTMLLIElement;

  /**
   * @param texts the texts of the lists of speakers
   * @param test plays the test sound
   */
  constructor(
    private shown: ListedSpeaker,
    private readonly texts: Pick<EditorNode, '_'>,
    test: (listed: ListedSpeaker, pressed: HTMLButtonElement) => void,
  ) {
    const small = 'red-ui-button-small';
    this.play = button({ className: small, title: texts._('speakers.test') }, icon('play'));
    this.edit = button({ className: small, title: texts._('speakers.edit') }, icon('pencil'));
    this.add = button({ className: small }, words('speakers.add'));
    this.play.addEventListener('click', () => test(this.shown, this.play));
    this.edit.addEventListener('click', () => {
      if ('node' in this.shown) RED.editor.editConfig('', SPEAKER, this.shown.node.id);
    });
    this.add.addEventListener('click', () => {
      if ('found' in this.shown) addSpeaker(this.shown.found);
    });
    this.volume.addEventListener('input', () => this.showPercent());
    this.volume.addEventListener('change', () => this.changeVolume());
    this.loudness.append(words('speakers.volume'), this.volume, this.percent);
    const buttons = element('div', { className: 'herald-activity-buttons' }, this.play, this.edit, this.add);
    const parts = [this.name, buttons, this.facts, this.last, this.loudness];
    this.item = element('li', { className: 'herald-activity-row' }, ...parts);
  }

  update(listed: ListedSpeaker, state: ShownSpeaker | undefined): void {
    const { texts, volume } = this;
    const { name } = listed;
    const isKnown = 'node' in listed;
    this.shown = listed;
    this.name.textContent = name;
    this.facts.textContent = [state && words(STATES[state.is ?? 'idle']), speakerFacts(listed, texts)]
      .filter(Boolean)
      .join(' · ');
    showLast(this.last, state, name, texts);
    this.edit.hidden = this.loudness.hidden = !isKnown;
    this.add.hidden = isKnown;
    // Each control has a name that is unique in the list, for screen readers.
    this.play.ariaLabel = texts._('speakers.test-of', { name });
    this.edit.ariaLabel = texts._('speakers.edit-of', { name });
    this.add.ariaLabel = words('speakers.add-of', { name });
    volume.ariaLabel = words('speakers.volume-of', { name });
    if (document.activeElement === volume || !isKnown) return;
    const saved = textOf(listed.node['max_volume']) || FULL_VOLUME;
    volume.disabled = Number.isNaN(Number(saved));
    volume.value = volume.disabled ? FULL_VOLUME : saved;
    this.showPercent(volume.disabled ? saved : undefined);
  }

  /** @param text a saved volume that is not a number, such as an environment variable */
  private showPercent(text = `${this.volume.value} %`): void {
    this.percent.textContent = text;
  }

  private changeVolume(): void {
    const max_volume = this.volume.value === FULL_VOLUME ? '' : this.volume.value;
    if ('node' in this.shown) changeNode(this.shown.node, { max_volume });
  }
}

/** Shows the end of the last announcement: its proof, or the problem. */
function showLast(
  place: HTMLElement,
  state: ShownSpeaker | undefined,
  speaker: string,
  texts: Pick<EditorNode, '_'>,
): void {
  const { end, proof = '', problem = '', isStopped = false } = state?.last ?? {};
  place.hidden = end === undefined && problem === '';
  place.classList.toggle('herald-problem', problem !== '' && !isStopped);
  if (place.hidden) return;
  const text = problem === '' ? proofText({ proof, speaker }, texts) : sentence(problem);
  place.textContent = end === undefined ? text : `${clock(end)}: ${text}`;
}
