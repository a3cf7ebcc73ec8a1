/** The list of voices in the picker: a row for each, with its samples. */
import { button, element, icon } from '../dom.js';
import { bestSample, type Combination, type Voice } from './voice.js';

/** What a list needs of the picker that it is in. */
export interface VoiceListOptions {
  node: EditorNode;
  /** The voice that is saved. */
  selected: string;
  /** What is chosen otherwise: its sample is the one that a row plays. */
  chosen: Readonly<Partial<Combination>>;
  /** Undefined where voices are only shown. */
  choose: ((voice: Voice) => void) | undefined;
  play(voice: Voice, sample: Combination, pressed: HTMLButtonElement): void;
}

/** How many voices there are, in words. */
export const countOf = (voices: readonly Voice[], node: EditorNode): string =>
  voices.length === 0 ? node._('picker.none') : node._('picker.found', { count: voices.length });

/** Rows for voices. */
export function voiceRows(voices: readonly Voice[], options: VoiceListOptions): HTMLElement[] {
  return voices.map((voice) => voiceRow(voice, options));
}

function voiceRow(voice: Voice, options: VoiceListOptions): HTMLElement {
  const row = element('li', { className: 'herald-voice-row' }, voiceButton(voice, options));
  const first = bestSample(voice, options.chosen);
  if (first !== undefined) row.append(...samplesOf(voice, first, options));
  return row;
}

function voiceButton(voice: Voice, { node, selected, choose }: VoiceListOptions): HTMLElement {
  const content = [portrait(voice), description(voice, node)];
  if (choose === undefined) return element('div', { className: 'herald-voice' }, ...content);
  const made = element('button', { type: 'button', className: 'herald-voice' }, ...content);
  if (voice.voice_id === selected) made.ariaCurrent = 'true';
  made.addEventListener('click', () => choose(voice));
  return made;
}

/** The picture that the service names, or the first letter; the name stands beside it, so neither is read out. */
function portrait({ image, name }: Voice): HTMLElement {
  const className = 'herald-portrait';
  const [initial = ''] = name;
  const letter = element('span', { className, ariaHidden: 'true' }, initial);
  if (image === '') return letter;
  // The place that a picture is at learns nothing of the page.
  const privately = { referrerPolicy: 'no-referrer', loading: 'lazy' } as const;
  const picture = element('img', { className, alt: '', ...privately, src: image });
  picture.addEventListener('error', () => picture.replaceWith(letter), { once: true });
  return picture;
}

function description(voice: Voice, node: EditorNode): HTMLElement {
  const { name, voice_id, own, gender, age, language, use_cases: uses } = voice;
  const title = element('span', { className: 'herald-voice-name' }, element('strong', {}, name), ' ');
  if (own) title.append(element('span', { className: 'herald-badge' }, node._('picker.own')), ' ');
  if (voice_id !== name) title.append(element('code', {}, voice_id));
  const facts = [gender, age, few(language), few(uses)].filter(Boolean).join(' · ') || voice.description;
  return element('span', { title: voice.description }, title, element('small', {}, facts));
}

/** The first of some values; a voice may speak thirty languages. */
function few(values: readonly string[], most = 4): string {
  return values.slice(0, most).join(', ') + (values.length > most ? ` +${values.length - most}` : '');
}

/** A button for the sample that fits best, and one that shows all of them. */
function samplesOf(voice: Voice, first: Combination, options: VoiceListOptions): HTMLElement[] {
  const { node, play } = options;
  const title = node._('picker.play', { name: voice.name });
  const main = button({ className: 'herald-play', title }, icon('play'));
  main.addEventListener('click', () => play(voice, first, main));
  if (voice.samples.length === 1) return [main];
  const all = node._('picker.samples', { count: voice.samples.length, name: voice.name });
  const more = button({ className: 'herald-samples', title: all }, icon('list-ul'));
  more.ariaExpanded = 'false';
  more.addEventListener('click', () => toggleSamples(more, voice, options));
  return [main, more];
}

function toggleSamples(more: HTMLButtonElement, voice: Voice, { node, play }: VoiceListOptions): void {
  const isOpen = more.ariaExpanded === 'true';
  more.ariaExpanded = String(!isOpen);
  if (isOpen) more.nextElementSibling?.remove();
  else more.after(sampleList(voice, { node, play }));
}

function sampleList(voice: Voice, { node, play }: Pick<VoiceListOptions, 'node' | 'play'>): HTMLElement {
  const buttons = voice.samples.map((sample) => {
    const words = [sample.language, sample.style, sample.model].join(' · ');
    const one = button({ className: 'red-ui-button-small' }, icon('play'), ` ${words}`);
    one.addEventListener('click', () => play(voice, sample, one));
    return one;
  });
  const label = node._('picker.samples', { count: voice.samples.length, name: voice.name });
  return element('div', { className: 'herald-sample-list', role: 'group', ariaLabel: label }, ...buttons);
}
