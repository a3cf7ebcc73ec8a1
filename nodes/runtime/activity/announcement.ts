import type { SpeechError, Text } from '@herald-speech/client';
import type { DeliveredAudio } from './replay.js';
import type { AnnouncedSound } from './sounds.js';

/** Maximum length of a recorded text, in UTF-16 code units. */
const MAX_RECORDED_TEXT = 300;

/**
 * Returns the beginning of a text for the record, without half a character at its end. The text is copied: a slice would keep the
 * whole text in memory, such as the file of which a flow speaks one line.
 */
export function recordedText(text: string): string {
  const start = text.slice(0, MAX_RECORDED_TEXT).replace(/[\uD800-\uDBFF]$/, '');
  return Buffer.from(start, 'utf16le').toString('utf16le');
}

type AnnouncementState = 'queued' | 'speaking' | 'done' | 'failed' | 'stopped';

/** The node of an announcement. */
export interface AnnouncingNode {
  node: string;
  /** Inside a subflow, the id of the original node in the editor. */
  template?: string;
  /** Blank for a node without a name. */
  name: string;
  /** The saved properties from which the editor makes the label of a node without a name. */
  saved?: Readonly<Record<string, string>>;
}

/** Facts that the work on a message finds out. */
export interface AnnouncementFacts {
  text?: string;
  /** The name of the voice, or its id if the service has not described it. */
  voice?: string;
  language?: string;
  /** Pieces of a text, or rows of a table. */
  progress?: { done: number; count: number };
  /** Seconds of audio. */
  seconds?: number;
  /** Seconds that the service of the node's account charged. Undefined if the service did not state them. */
  charged?: number | undefined;
  /** True if all audio came from the cache. */
  cached?: boolean;
  /** The name of the fallback that spoke: an account, the host of its service, or `local`. */
  fallback?: string;
  /** True if the fallback spoke because the budget of the account is used up. */
  isOverBudget?: boolean;
  /** The warnings of `msg.speech.warnings`, each once. */
  warnings?: readonly Text[];
  replay?: DeliveredAudio;
}

/** One message that a node speaks, or a table whose rows it speaks. */
export interface RecordedAnnouncement extends AnnouncingNode, Omit<AnnouncementFacts, 'replay'> {
  /** Unique in this process, in the order of arrival. */
  readonly id: number;
  state: AnnouncementState;
  text: string;
  /** Milliseconds since 1970, as all times here. */
  queuedAt: number;
  startedAt?: number;
  endedAt?: number;
  error?: SpeechError;
}

/** The record of one announcement, for the node that speaks it. No method throws. */
export interface AnnouncementEntry {
  readonly sound: AnnouncedSound;
  started(): void;
  note(facts: AnnouncementFacts): void;
  /** Ends the announcement. Later calls do nothing. @param error undefined after success */
  ended(error?: SpeechError): void;
}
