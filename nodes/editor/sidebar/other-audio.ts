/** The audio of a listen node that belongs to no listed announcement, with a button that stops it in this editor. */
import { element } from '@herald-speech/browser';
import { button, icon } from '../lib/dom.js';
import { type HeardAudio, heardAudio, stopHeard } from '../lib/heard.js';
import { presentLabelOf } from './announcement-row.js';
import type { ShownAnnouncement } from './announcement.js';
import { words } from './words.js';

/** Shows such audio in one line while it plays. */
export class OtherAudio {
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
