/** The last announcement of each speaker, for the editor. */
import { createHash } from 'node:crypto';
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

/** Maximum number of speakers. The oldest entry is removed. */
const MAX_SPEAKERS = 1024;
const last = new Map<string, LastAnnouncement>();

/**
 * Returns the key of a speaker. The editor tests values that may never be deployed, so a speaker with another address or secret is
 * another one. The key has a hash in place of the secret.
 */
const keyOf = ({ id, kind, identity, place }: Speaker): string =>
  createHash('sha256')
    .update(JSON.stringify([id, kind, identity, place]))
    .digest('hex');

const isFailure = (announcement: LastAnnouncement | undefined): boolean =>
  announcement?.problem !== undefined && announcement.isStopped !== true;

/** Notes the end of an announcement. A failure stays until the next announcement that shows whether the speaker works. */
export function noteLast(speaker: Speaker, announcement: LastAnnouncement): void {
  const key = keyOf(speaker);
  if (announcement.isStopped === true && isFailure(last.get(key))) return;
  last.delete(key);
  last.set(key, announcement);
  const [oldest] = last.keys();
  if (last.size > MAX_SPEAKERS && oldest !== undefined) last.delete(oldest);
}

/** Returns the state of a speaker of the flow. */
export function speakerStateOf(speaker: Speaker): SpeakerState {
  const is = speakerQueue.stateOf(speakerKey(speaker));
  const latest = last.get(keyOf(speaker));
  return { is: is === 'idle' && isFailure(latest) ? 'failed' : is, last: latest };
}
