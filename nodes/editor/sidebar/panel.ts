/** The content of the sidebar tab "Speech". */
import { element, whileBusy } from '@herald-speech/browser';
import { button, icon, showStatus } from '../lib/dom.js';
import { callRuntime, errorText, readRuntime } from '../lib/runtime.js';
import { type HeardAudio, heardAudio, onHeard, stopHeard } from '../lib/heard.js';
import { toggleSound } from '../lib/sound.js';
import { Accounts } from './accounts.js';
import { presentLabelOf, type AnnouncementActions } from './announcement-row.js';
import { type Activity, type ShownAnnouncement, inOrderOfPlaying, isHeard, isOpen } from './announcement.js';
import { Feed } from './feed.js';
import { createMarkCheck } from './mark-check.js';
import { QueueList } from './queues.js';
import { createSection, RowList } from './row-list.js';
import { SpeakerSection } from './speakers.js';
import { texts, words } from './words.js';

export interface Panel {
  content: HTMLElement;
  /** Follows the runtime while the tab is visible. */
  start(): void;
  stop(): void;
}

/** A part of the tab that follows the runtime while the tab is visible. */
export interface PanelPart {
  element: HTMLElement;
  start(): void;
  stop(): void;
}

/**
 * Creates the tab. It requests nothing before `start`.
 * @param offer the offer of a natural voice, above the lists
 */
export function createPanel(offer: PanelPart): Panel {
  const status = element('p', { className: 'herald-activity-status', role: 'status' });
  const run: Run = (work) => reporting(status, work);
  let isLost = false;
  const failed = (error: unknown) => {
    isLost = true;
    showStatus(status, errorText(error, texts), true);
  };
  const view = createView(run);
  const accounts = new Accounts(failed);
  let latest: number | undefined;
  const show = (activity: Activity) => {
    // The failure of an action stays until the next action.
    if (isLost) showStatus(status, '');
    isLost = false;
    view.show(activity);
    const ended = activity.announcements.find((one) => !isOpen(one))?.id;
    if (ended !== latest) accounts.changed();
    latest = ended;
  };
  const feed = new Feed({ show, failed });
  const { current, past } = view;
  const speakers = new SpeakerSection();
  const content = element(
    'div',
    { className: 'herald-activity', tabIndex: -1, role: 'region', ariaLabel: words('label') },
    status,
    offer.element,
    current.section,
    speakers.element,
    sectionOf(accounts),
    createMarkCheck(),
    past.section,
  );
  const parts = [feed, accounts, offer, speakers, followHeard(view.refresh)];
  return {
    content,
    start: () => parts.forEach((part) => part.start()),
    stop: () => parts.forEach((part) => part.stop()),
  };
}

/** Returns the section of the accounts. */
function sectionOf({ list, cache }: Accounts): HTMLElement {
  const { section } = createSection(words('accounts'), '');
  section.append(list, cache);
  return section;
}

/** Calls `refresh` when this editor starts or ends audio, while it is started. */
function followHeard(refresh: () => void) {
  let end = (): void => undefined;
  return {
    start() {
      end();
      end = onHeard(refresh);
    },
    stop: () => end(),
  };
}

/** Runs an action of a button. Shows its failure. */
async function reporting(status: HTMLElement, work: () => Promise<unknown>): Promise<void> {
  try {
    showStatus(status, '');
    await work();
  } catch (error) {
    showStatus(status, errorText(error, texts), true);
  }
}

type Run = (work: () => Promise<unknown>) => Promise<void>;

/** The lists of announcements. */
function createView(run: Run) {
  const current = createSection(words('current'), words('nothing-current'));
  const past = createSection(words('past'), words('nothing-past'));
  const more = element('p', { className: 'herald-activity-empty' });
  current.heading.tabIndex = -1;
  const queues = new QueueList(
    (node, pressed) => void whileBusy(pressed, () => run(() => callRuntime('activity/clear', { node }))),
    current.heading,
  );
  const other = new OtherAudio();
  current.heading.after(other.line, queues.list);
  current.section.append(more);
  const rows = new RowList(actionsWith(run));
  let shown: Activity = { announcements: [], waiting: [] };
  const show = (activity: Activity) => {
    const { announcements, waiting } = (shown = activity);
    const isCurrent = (one: ShownAnnouncement) => isOpen(one) || isHeard(one);
    const open = inOrderOfPlaying(announcements.filter(isCurrent));
    const ended = announcements.filter((one) => !isCurrent(one));
    rows.keep(announcements);
    rows.show(current.list, open);
    rows.show(past.list, ended);
    const nodes = new Map(announcements.map((one) => [one.queue, one.node]));
    queues.show(waiting, (queue) => presentLabelOf(nodes.get(queue) ?? queue));
    current.note.hidden = open.length > 0;
    past.note.hidden = ended.length > 0;
    other.show(announcements);
    showMore(more, waiting, open);
  };
  return { current, past, show, refresh: () => show(shown) };
}

/**
 * Shows the audio of a listen node that belongs to no listed announcement: a line while it plays, with a button that stops it in this
 * editor.
 */
class OtherAudio {
  private readonly text = element('span');
  private readonly stop = button({ className: 'red-ui-button-small', title: words('stop') }, icon('stop'));
  readonly line = element('p', { className: 'herald-activity-other', hidden: true }, this.text, this.stop);
  private shown: HeardAudio | undefined;

  constructor() {
    this.stop.addEventListener('click', () =>
      stopHeard(({ node, sound }) => node === this.shown?.node && sound === this.shown.sound),
    );
  }

  show(announcements: readonly ShownAnnouncement[]): void {
    const [current] = heardAudio();
    const isListed = announcements.some(({ sound }) => sound === current?.sound);
    this.shown = isListed ? undefined : current;
    this.line.hidden = this.shown === undefined;
    if (this.shown === undefined) return;
    const node = presentLabelOf(this.shown.node);
    this.text.textContent = `${words(`state.${this.shown.state}`)}: ${node}`;
    this.stop.ariaLabel = words('stop-of', { text: node });
  }
}

/** Shows the number of queued announcements that are not listed. */
function showMore(more: HTMLElement, waiting: Activity['waiting'], open: readonly ShownAnnouncement[]): void {
  const total = waiting.reduce((sum, { count }) => sum + count, 0);
  const count = total - open.filter(({ state }) => state === 'queued').length;
  more.hidden = count <= 0;
  more.textContent = count > 0 ? words('more', { count }) : '';
}

const actionsWith = (run: Run): AnnouncementActions => ({
  reveal({ node }) {
    if (RED.nodes.node(node)) RED.view.reveal(node);
  },
  // A second click stops the sound, so that the button is never busy.
  replay: ({ id, sound }, pressed) =>
    void run(() => toggleSound(pressed, () => readRuntime(`activity/audio?id=${id}`), { sound })),
  stop({ id, sound }, pressed) {
    // This editor falls silent at once, also without the permission to stop the others.
    stopHeard((audio) => audio.sound === sound);
    void whileBusy(pressed, () => run(() => callRuntime('activity/stop', { id })));
  },
});
