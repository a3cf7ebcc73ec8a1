/** The announcements of the runtime, as `GET herald/activity` describes them (`nodes/runtime/activity/announcement.ts`). */
import {
  countOf,
  fieldsOf,
  flagOf,
  listWith,
  numberOf,
  oneOf,
  shapeOf,
  textOf,
} from '@herald-speech/browser';
import { type HeardAudio, heardAudio } from '../lib/heard.js';

const STATES = ['queued', 'speaking', 'done', 'failed', 'stopped'] as const;
const CUTS = ['stopped', 'interrupted', 'replaced'] as const;

const fieldsIn = shapeOf({
  id: countOf,
  /** The id of the node that has the queue. */
  node: textOf,
  /** Inside a subflow, the id of the node that the editor shows. */
  template: textOf,
  name: textOf,
  /** The saved properties from which the label of the node was made. */
  saved: fieldsOf,
  state: oneOf(STATES),
  text: textOf,
  voice: textOf,
  language: textOf,
  queuedAt: numberOf,
  startedAt: numberOf,
  endedAt: numberOf,
  seconds: numberOf,
  charged: numberOf,
  cached: flagOf,
  /** '' if the node's account spoke. */
  fallback: textOf,
  /** Whether the fallback spoke because the budget of the node's account is used up. */
  isOverBudget: flagOf,
  /** Without pieces or rows, the count is 0. */
  progress: shapeOf({ done: countOf, count: countOf }),
  error: (error) => textOf(fieldsOf(error)['message']),
  warnings: listWith(textOf),
  hasAudio: flagOf,
  /** Names the announcement in events about its sound. */
  sound: textOf,
  /** The number of players that fetch the audio from its URL now. */
  streams: countOf,
  /** How its sound ended, if it did not reach the end of the audio. */
  cut: oneOf(CUTS),
});

/** Reads an announcement from a reply. */
export function announcementOf(value: unknown) {
  const fields = fieldsIn(value);
  const { node: queue, template, state = 'queued', queuedAt = 0, startedAt, endedAt } = fields;
  // `time` is the latest change of the state, in milliseconds since 1970.
  return { ...fields, state, queue, node: template || queue, time: endedAt ?? startedAt ?? queuedAt };
}

export type ShownAnnouncement = ReturnType<typeof announcementOf>;

/** Reads the number of queued announcements of each node, listed or not. */
export const waitingOf = listWith(shapeOf({ node: textOf, count: countOf }));

/** The state of the record in the editor. */
export interface Activity {
  /** Current announcements, queued ones by priority and arrival, then past ones, the latest first. */
  announcements: ShownAnnouncement[];
  waiting: ReturnType<typeof waitingOf>;
}

/** Whether an announcement can still be heard: in this editor, or by a player that fetches its URL. */
export const isHeard = ({ sound, streams }: ShownAnnouncement): boolean =>
  streams > 0 || playbackOf(sound) !== undefined;

/** Returns the state of an announcement that a listen node plays in this editor. */
export const playbackOf = (sound: string): HeardAudio['state'] | undefined =>
  heardAudio().find((audio) => audio.sound === sound)?.state;

/** Returns the announcements that can be heard, in the order of playing, then the others. */
export function inOrderOfPlaying(announcements: readonly ShownAnnouncement[]): ShownAnnouncement[] {
  const queue = heardAudio();
  const placeOf = ({ sound, streams }: ShownAnnouncement) => {
    const place = queue.findIndex((audio) => audio.sound === sound);
    // A player fetches the audio while this editor plays its first audio.
    if (streams > 0 && place !== 0) return 0.5;
    return place < 0 ? queue.length : place;
  };
  return [...announcements].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Returns the state of the work, or how its sound ended early. */
export const outcomeOf = ({
  state,
  cut,
}: Pick<ShownAnnouncement, 'state' | 'cut'>): ShownAnnouncement['state'] | 'interrupted' | 'replaced' =>
  state === 'done' || state === 'stopped' ? (cut ?? state) : state;

/** Whether an announcement is neither done, failed nor stopped. */
export const isOpen = ({ state }: ShownAnnouncement): boolean => state === 'queued' || state === 'speaking';
