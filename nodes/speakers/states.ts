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
}

/** The state of a speaker. */
export interface SpeakerState {
  is: 'idle' | 'waiting' | 'playing';
  last: LastAnnouncement | undefined;
}

/** By the id of the config node. A speaker that no flow has keeps a few bytes. */
const last = new Map<string, LastAnnouncement>();

export const noteLast = ({ id }: Speaker, announcement: LastAnnouncement): void =>
  void last.set(id, announcement);

/** Returns the state of a speaker of the flow. */
export const speakerStateOf = (speaker: Speaker): SpeakerState => ({
  is: speakerQueue.stateOf(speakerKey(speaker)),
  last: last.get(speaker.id),
});
