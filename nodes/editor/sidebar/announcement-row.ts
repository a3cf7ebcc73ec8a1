/** One announcement in the sidebar: its text, its facts and its buttons. */
import { element } from '@herald-speech/browser';
import { button, icon } from '../lib/dom.js';
import { numeral } from '../lib/languages.js';
import { sentence } from '../lib/runtime.js';
import { type ShownAnnouncement, isHeard, isOpen, outcomeOf, playbackOf } from './announcement.js';
import { accountText, clock, words } from './words.js';

export interface AnnouncementActions {
  reveal(announcement: ShownAnnouncement): void;
  replay(announcement: ShownAnnouncement, pressed: HTMLButtonElement): void;
  stop(announcement: ShownAnnouncement, pressed: HTMLButtonElement): void;
}

export interface AnnouncementRow {
  readonly item: HTMLLIElement;
  update(announcement: ShownAnnouncement): void;
}

const ICONS: Readonly<Record<ReturnType<typeof outcomeOf>, string>> = {
  queued: 'clock-o',
  speaking: 'volume-up',
  done: 'check',
  failed: 'exclamation-triangle',
  stopped: 'stop-circle-o',
  interrupted: 'stop-circle-o',
  replaced: 'stop-circle-o',
};

/** Creates the row of an announcement. Updates keep the elements, so that the focus stays. */
export function createRow(first: ShownAnnouncement, actions: AnnouncementActions): AnnouncementRow {
  let shown = first;
  const text = element('span', { className: 'herald-activity-text' });
  const reveal = element('button', { type: 'button', className: 'herald-activity-reveal' }, text);
  const replay = button({ className: 'red-ui-button-small', title: words('replay') }, icon('play'));
  const stop = button({ className: 'red-ui-button-small', title: words('stop') }, icon('stop'));
  const facts = element('div', { className: 'herald-activity-facts' });
  const error = element('div', { className: 'herald-activity-error herald-problem' });
  const warnings = element('ul', { className: 'herald-activity-warnings' });
  const buttons = element('div', { className: 'herald-activity-buttons' }, replay, stop);
  const item = element('li', { className: 'herald-activity-row' }, reveal, buttons, facts, error, warnings);
  reveal.addEventListener('click', () => actions.reveal(shown));
  replay.addEventListener('click', () => actions.replay(shown, replay));
  stop.addEventListener('click', () => actions.stop(shown, stop));
  const update = (announcement: ShownAnnouncement) => {
    shown = announcement;
    item.dataset['state'] = outcomeOf(announcement);
    text.textContent = announcement.text || words('no-text');
    nameButtons(announcement, { reveal, replay, stop });
    replay.hidden = !announcement.hasAudio;
    hideKeepingFocus(stop, !isOpen(announcement) && !isHeard(announcement), reveal);
    const symbol = ICONS[isHeard(announcement) ? 'speaking' : outcomeOf(announcement)];
    facts.replaceChildren(icon(symbol), ` ${factsOf(announcement).join(' · ')}`);
    error.textContent = announcement.error && sentence(announcement.error);
    error.hidden = announcement.error === '';
    warnings.replaceChildren(...announcement.warnings.map((warning) => element('li', {}, sentence(warning))));
    warnings.hidden = announcement.warnings.length === 0;
  };
  update(first);
  return { item, update };
}

/** Gives each button a name that is unique in the list, for screen readers. */
function nameButtons(
  { node, text, time }: ShownAnnouncement,
  { reveal, replay, stop }: Record<'reveal' | 'replay' | 'stop', HTMLButtonElement>,
): void {
  const isThere = Boolean(RED.nodes.node(node));
  reveal.ariaDisabled = String(!isThere);
  reveal.title = words(isThere ? 'reveal' : 'node-gone');
  const of = text.slice(0, 40) || clock(time);
  replay.ariaLabel = words('replay-of', { text: of });
  stop.ariaLabel = words('stop-of', { text: of });
}

/** Hides a button. If it has the focus, another one gets it. */
function hideKeepingFocus(hidden: HTMLButtonElement, isHidden: boolean, next: HTMLButtonElement): void {
  const hadFocus = isHidden && document.activeElement === hidden;
  hidden.hidden = isHidden;
  if (hadFocus) next.focus();
}

function factsOf(announcement: ShownAnnouncement): string[] {
  const { time, voice, language, seconds, charged, cached, progress, fallback, isOverBudget } = announcement;
  const isPartial = (announcement.state === 'speaking' || seconds === undefined) && progress.count > 1;
  return [
    ...statesOf(announcement),
    clock(time),
    nodeLabelOf(announcement),
    voice && language ? `${voice} (${language})` : voice || language,
    isPartial ? words('progress', { done: numeral(progress.done), count: numeral(progress.count) }) : '',
    seconds === undefined ? '' : words('seconds', { seconds: numeral(seconds) }),
    cached ? words('cached') : chargedText(charged),
    fallback === '' ? '' : words('fallback', { account: accountText(fallback) }),
    isOverBudget ? words('over-budget') : '',
  ].filter(Boolean);
}

/** Returns the state of the work and of the sound. The work is not called done before the sound has ended. */
function statesOf(announcement: ShownAnnouncement): string[] {
  const { state, sound, streams } = announcement;
  const playback = playbackOf(sound);
  const sounds = [
    ...(playback === undefined ? [] : [words(`state.${playback}`)]),
    ...(streams > 0 ? [words('state.streamed')] : []),
  ];
  return state === 'done' && sounds.length > 0
    ? sounds
    : [words(`state.${outcomeOf(announcement)}`), ...sounds];
}

const chargedText = (charged: number | undefined): string =>
  charged === undefined || charged === 0 ? '' : words('charged', { seconds: numeral(charged) });

/** Returns the label that a node had at the time of its announcement, or its name if it was deleted. */
export function nodeLabelOf({
  node: id,
  name,
  saved,
}: Pick<ShownAnnouncement, 'node' | 'name' | 'saved'>): string {
  const node = RED.nodes.node(id);
  return node ? RED.utils.getNodeLabel({ ...node, ...saved, name }, id) : name || words('node-gone');
}

/** Returns the label of a node as the workspace shows it now. */
export function presentLabelOf(id: string): string {
  const node = RED.nodes.node(id);
  return node ? RED.utils.getNodeLabel(node, id) : words('node-gone');
}
