/** The announcements of the runtime, as `GET herald/activity` describes them (`nodes/runtime/activity/announcement.ts`). */
import { type Fields, fieldsOf, textOf, numberOf, listOf } from '@herald-speech/browser';
import { type HeardAudio, heardAudio } from '../lib/heard.js';

const STATES = ['queued', 'speaking', 'done', 'failed', 'stopped'] as const;
const CUTS = ['stopped', 'interrupted', 'replaced'] as const;

export interface ShownAnnouncement {
  id: number;
  /** The id of the node that the editor shows. */
  node: string;
  /** The id of the node that has the queue. It differs from `node` inside a subflow. */
  queue: string;
  name: string;
  /** The saved properties from which the label of the node was made. */
  saved: Fields;
  state: (typeof STATES)[number];
  text: string;
  voice: string;
  language: string;
  /** Milliseconds since 1970 of the latest change of the state. */
  time: number;
  seconds: number | undefined;
  charged: number | undefined;
  cached: boolean;
  /** '' if the node's account spoke. */
  fallback: string;
  /** Whether the fallback spoke because the budget of the node's account is used up. */
  isOverBudget: boolean;
  progress: { done: number; count: number } | undefined;
  error: string;
  warnings: string[];
  hasAudio: boolean;
  /** Names the announcement in events about its sound. */
  sound: string;
  /** The number of players that fetch the audio from its URL now. */
  streams: number;
  /** How its sound ended, if it did not reach the end of the audio. */
  cut: (typeof CUTS)[number] | undefined;
}

/** The state of the record in the editor. */
export interface Activity {
  /** Current announcements, queued ones by priority and arrival, then past ones, the latest first. */
  announcements: ShownAnnouncement[];
  /** The number of queued announcements of each node, listed or not. */
  waiting: { node: string; count: number }[];
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

/** Reads an announcement from a reply. */
export function announcementOf(value: unknown): ShownAnnouncement {
  const fields = fieldsOf(value);
  const text = (name: string) => textOf(fields[name]);
  const number = (name: string) => numberOf(fields[name]);
  const queue = text('node');
  return {
    id: number('id') ?? 0,
    node: text('template') || queue,
    queue,
    name: text('name'),
    saved: fieldsOf(fields['saved']),
    state: STATES.find((state) => state === fields['state']) ?? 'queued',
    text: text('text'),
    voice: text('voice'),
    language: text('language'),
    time: number('endedAt') ?? number('startedAt') ?? number('queuedAt') ?? 0,
    seconds: number('seconds'),
    charged: number('charged'),
    cached: fields['cached'] === true,
    fallback: text('fallback'),
    isOverBudget: fields['isOverBudget'] === true,
    progress: progressOf(fields['progress']),
    error: textOf(fieldsOf(fields['error'])['message']),
    warnings: listOf(fields['warnings']).map(textOf),
    hasAudio: fields['hasAudio'] === true,
    sound: text('sound'),
    streams: number('streams') ?? 0,
    cut: CUTS.find((cut) => cut === fields['cut']),
  };
}

function progressOf(value: unknown): ShownAnnouncement['progress'] {
  const fields = fieldsOf(value);
  const [done, count] = [numberOf(fields['done']), numberOf(fields['count'])];
  return done === undefined || count === undefined ? undefined : { done, count };
}

/** Reads the entries of `waiting` from a reply. */
export const waitingOf = (value: unknown): Activity['waiting'] =>
  listOf(value).map((one) => {
    const fields = fieldsOf(one);
    return { node: textOf(fields['node']), count: numberOf(fields['count']) ?? 0 };
  });
