/** A list of announcements that changes in place. */
import { element, arrangeFirst } from '@herald-speech/browser';
import {
  createRow,
  nodeLabelOf,
  type AnnouncementRow,
  type AnnouncementActions,
} from './announcement-row.js';
import { type ShownAnnouncement, playbackOf } from './announcement.js';

/** The rows of all lists by the id of the announcement. A row moves from one list to the other with its announcement. */
export class RowList {
  private readonly rows = new Map<number, { row: AnnouncementRow; shown: ShownAnnouncement; live: string }>();

  constructor(private readonly actions: AnnouncementActions) {}

  /** Removes the rows of other announcements. */
  keep(announcements: readonly ShownAnnouncement[]): void {
    const ids = new Set(announcements.map(({ id }) => id));
    for (const [id, { row }] of this.rows) {
      if (ids.has(id)) continue;
      row.item.remove();
      this.rows.delete(id);
    }
  }

  /** Shows announcements in a list, in their order. */
  show(list: HTMLElement, announcements: readonly ShownAnnouncement[]): void {
    const items = announcements.map((announcement) => this.rowOf(announcement).item);
    arrangeFirst(list, items);
  }

  private rowOf(announcement: ShownAnnouncement): AnnouncementRow {
    // The facts that change without a change of the announcement.
    const live = `${playbackOf(announcement.sound)} ${nodeLabelOf(announcement)}`;
    const known = this.rows.get(announcement.id);
    const row = known?.row ?? createRow(announcement, this.actions);
    if (known !== undefined && (known.shown !== announcement || known.live !== live))
      row.update(announcement);
    this.rows.set(announcement.id, { row, shown: announcement, live });
    return row;
  }
}

/** Creates a list with a heading. @param empty shown while the list has no entries */
export function createSection(title: string, empty: string) {
  const list = element('ul', { className: 'herald-activity-list' });
  const note = element('p', { className: 'herald-activity-empty', textContent: empty });
  const heading = element('h3', { className: 'herald-activity-heading', textContent: title });
  const section = element('section', { ariaLabel: title }, heading, note, list);
  return { section, list, note, heading };
}
