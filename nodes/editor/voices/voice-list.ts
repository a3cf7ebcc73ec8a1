/** The rows of a voice list: portrait, name, details and samples of each voice. */
import { type Combination, element, type Facet, valuesOf, type Voice } from '@herald-speech/browser';
import { button, icon } from '../lib/dom.js';
import { nameOf, qualityName, slowText, voiceWords } from '../lib/languages.js';
import type { Target } from '../lib/runtime.js';
import { firstSound, isCharged, lacksSounds } from './voice-sound.js';

export interface VoiceListOptions {
  node: EditorNode;
  target: Target;
  /** The saved voice id. */
  selected: string;
  /** The values to prefer for the sample that a row plays. */
  chosen: Readonly<Partial<Combination>>;
  /** Undefined if the user cannot choose a voice from the list. */
  choose: ((voice: Voice) => void) | undefined;
  play(voice: Voice, sample: Combination, pressed: HTMLButtonElement): void;
}

/** Returns the localized number of voices. */
export const countText = (voices: readonly Voice[], node: EditorNode): string =>
  voices.length === 0 ? node._('picker.none') : node._('picker.found', { count: voices.length });

/** Returns a hint if the voices cannot be heard; otherwise a blank text. */
export const soundHint = (voices: readonly Voice[], target: Target, node: EditorNode): string =>
  lacksSounds(voices, target) ? node._('picker.no-samples') : '';

/** Creates a row for each voice. */
export function voiceRows(voices: readonly Voice[], options: VoiceListOptions): HTMLElement[] {
  return voices.map((voice) => voiceRow(voice, options));
}

function voiceRow(voice: Voice, options: VoiceListOptions): HTMLElement {
  const row = element('li', { className: 'herald-voice-row' }, voiceButton(voice, options));
  const first = firstSound(voice, options.chosen, options.target);
  if (first !== undefined) row.append(...sampleButtons(voice, first, options));
  return row;
}

function voiceButton(voice: Voice, { node, selected, choose }: VoiceListOptions): HTMLElement {
  const content = [portrait(voice), description(voice, node)];
  if (choose === undefined) return element('div', { className: 'herald-voice' }, ...content);
  const item = element('button', { type: 'button', className: 'herald-voice' }, ...content);
  if (voice.voice_id === selected) item.ariaCurrent = 'true';
  item.addEventListener('click', () => choose(voice));
  return item;
}

/** Creates the portrait, or the first letter without one. Screen readers skip both: the name is next to them. */
function portrait({ image, name }: Voice): HTMLElement {
  const className = 'herald-portrait';
  const [initial = ''] = name;
  const letter = element('span', { className, ariaHidden: 'true' }, initial);
  if (image === '') return letter;
  // The host of the image receives no referrer.
  const privately = { referrerPolicy: 'no-referrer', loading: 'lazy' } as const;
  const picture = element('img', { className, alt: '', ...privately, src: image });
  picture.addEventListener('error', () => picture.replaceWith(letter), { once: true });
  return picture;
}

/** The values in a row of the list. */
const DETAILS = ['gender', 'age', 'language', 'use_case'] as const;
const CHARACTER = ['gender', 'age', 'use_case'] as const;
/** In the line of a natural voice, quality and licence come first, because a long line is cut off. */
const NATURAL_DETAILS = ['gender', 'language'] as const;

function description(voice: Voice, node: EditorNode): HTMLElement {
  const { name, voice_id, own, isNatural, isNonCommercial, isLive, quality, licence } = voice;
  const names = (facet: Facet) => shortList(valuesOf(voice, facet).map((value) => nameOf(facet, value)));
  const title = element('span', { className: 'herald-voice-name' }, element('strong', {}, name), ' ');
  const badges = [
    own && node._('picker.own'),
    isNatural && node._('picker.natural.badge'),
    isNonCommercial && voiceWords()['non-commercial'],
    !isLive && voiceWords()['not-live'],
  ];
  for (const badge of badges)
    if (badge) title.append(element('span', { className: 'herald-badge' }, badge), ' ');
  if (voice_id !== name) title.append(element('code', {}, voice_id));
  const unstated = !own && valuesOf(voice, 'language').length === 0 && node._('picker.no-language');
  const facts = isNatural
    ? [qualityName(quality), licence, ...NATURAL_DETAILS.map(names)]
    : [...DETAILS.map(names), unstated, ...(hasCharacter(voice) ? [] : [voice.description])];
  const details = facts.filter(Boolean).join(' · ');
  const className = isNatural ? 'herald-natural-facts' : '';
  const small = element('small', { className }, details);
  const slow = element('small', { className: 'herald-natural-facts' }, slowText(voice));
  return element('span', { title: voice.description }, title, small, slow);
}

/** Whether the details tell more than a language. Without them, only the description tells voices apart. */
const hasCharacter = (voice: Voice): boolean => CHARACTER.some((facet) => valuesOf(voice, facet).length > 0);

/** Joins the first values: a voice may speak thirty languages. */
function shortList(values: readonly string[], max = 4): string {
  return values.slice(0, max).join(', ') + (values.length > max ? ` +${values.length - max}` : '');
}

/** Creates a play button for the best sample, and a button that lists all samples. */
function sampleButtons(voice: Voice, best: Combination, options: VoiceListOptions): HTMLElement[] {
  const { node, target, play } = options;
  const key = isCharged(voice, target) ? 'picker.play-charged' : 'picker.play';
  const title = node._(key, { name: voice.name });
  const main = button({ className: 'herald-play', title }, icon('play'));
  main.addEventListener('click', () => play(voice, best, main));
  if (voice.samples.length < 2) return [main];
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
    const label = [nameOf('language', sample.language), nameOf('style', sample.style), sample.model].join(
      ' · ',
    );
    const item = button({ className: 'red-ui-button-small' }, icon('play'), ` ${label}`);
    item.addEventListener('click', () => play(voice, sample, item));
    return item;
  });
  const label = node._('picker.samples', { count: voice.samples.length, name: voice.name });
  return element('div', { className: 'herald-sample-list', role: 'group', ariaLabel: label }, ...buttons);
}
