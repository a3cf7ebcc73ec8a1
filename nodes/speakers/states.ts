/** The last announcement of each speaker, for the editor. */
import { speakerKey, type Speaker } from './speaker-node.js';
import { speakerQueue } from './speaker-queue.js';

/** How an announcement ended. Times are milliseconds since 1970. */
export interface LastAnnouncement {
  end: number;
  /** What is known of the sound; undefined if the speaker did not play it to its end. */
  proof?: string;
  /** The cause and the fix, in the language of Node-RED. */
  problem?: string;
  /** Whether a message or a deploy ended it: such an end says nothing of the speaker. */
  isStopped?: boolean;
}

/** The state of a speaker. */
export interface SpeakerState {
  /** `failed`: the speaker is free, and did not play its last announcement. */
  is: 'idle' | 'failed' | 'waiting' | 'playing';
  last: LastAnnouncement | undefined;
}

/** By the id of the config node. A speaker that no flow has keeps a few bytes. */
const last = new Map<string, LastAnnouncement>();

const isFailure = (announcement: LastAnnouncement | undefined): boolean =>
  announcement?.problem !== undefined && announcement.isStopped !== true;

/** Notes the end of an announcement. A failure stays until the next announcement that shows whether the speaker works. */
export function noteLast({ id }: Speaker, announcement: LastAnnouncement): void {
  if (announcement.isStopped !== true || !isFailure(last.get(id))) last.set(id, announcement);
}

/** Returns the state of a speaker of the flow. */
export function speakerStateOf(speaker: Speaker): SpeakerState {
  const is = speakerQueue.stateOf(speakerKey(speaker));
  const latest = last.get(speaker.id);
  return { is: is === 'idle' && isFailure(latest) ? 'failed' : is, last: latest };
}
