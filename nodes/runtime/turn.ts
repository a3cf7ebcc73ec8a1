import type { NodeAPI, NodeMessage } from 'node-red';
import type { AnnouncementEntry, AnnouncementFacts } from './activity/announcement.js';
import type { AnnouncedSound } from './activity/sounds.js';
import type { EarlierFailure } from './earlier-failure.js';
import type { Send } from './ports.js';
import type { QueuePlace } from './queue/queue-entry.js';
import type { JobStatus } from './status.js';
import type { JobActivity, JobResult } from './status-texts.js';

/** The context in which a node processes one message. */
export interface Turn {
  /** Fires if the message is stopped. */
  signal: AbortSignal;
  /** The value of `msg.priority`, 0 by default. Higher priorities go first. */
  priority: number;
  /** True if the message failed before and was sent again. It then waits for earlier messages in any queue mode. */
  again: boolean;
  onProgress: (activity: JobActivity) => void;
  /** Sets the result that the status shows. */
  onSpoken: (result: JobResult) => void;
  /** The sound of the message. Undefined in a node that does not speak. */
  sound: AnnouncedSound | undefined;
  /** Adds facts to the record of announcements. Does nothing in a node that does not speak. */
  note: (facts: AnnouncementFacts) => void;
  /**
   * Resolves when all earlier messages have left. For work that must keep the order of the messages.
   * @throws SpeechError if the message was stopped
   */
  turn(): Promise<void>;
  /**
   * Sends a copy of a message on the first output before the result, after all earlier messages have left.
   * @throws SpeechError if the message was stopped
   */
  send(message: NodeMessage): Promise<void>;
  /**
   * Sends a further message that failed, such as one row of a table, on the output of its error or to Catch nodes. The
   * message that is processed leaves as usual. A failure of a message that came back is delayed, as its own would be.
   * @throws SpeechError if the message was stopped
   */
  sendFailed(message: NodeMessage, thrown: unknown): Promise<void>;
  /** Sets fields that the message gets if it fails. */
  addDetails(fields: object): void;
  /** Sends a copy of a message on the first output if it is the turn of this message. Otherwise does nothing. */
  report(message: NodeMessage): void;
  /** Lets the next messages leave, although the work on this message continues. */
  handOver(): void;
}

/** The parts of a received message that its turn needs. */
interface Received {
  earlier: EarlierFailure | undefined;
  priority: number;
  send: Send;
  details: object;
  announcement?: AnnouncementEntry | undefined;
}

/**
 * Returns the context in which the node processes a message.
 * @param fail sends a further failed message. Must not throw
 */
export function turnOf(
  { util }: NodeAPI,
  { earlier, priority, send, details, announcement }: Received,
  place: QueuePlace,
  status: JobStatus,
  fail: (message: NodeMessage, thrown: unknown) => void,
): Turn {
  const { signal } = place;
  // The messages share objects of the original. A node that changes one of them must not change the others.
  const copyOf = (message: NodeMessage): NodeMessage => util.cloneMessage(message);
  const untilTurn = async () => {
    await place.turn();
    signal.throwIfAborted();
  };
  return {
    signal,
    priority,
    again: earlier !== undefined,
    sound: announcement?.sound,
    ...reports(status, announcement),
    turn: () => place.turn(true),
    async send(message) {
      await untilTurn();
      send([copyOf(message)]);
    },
    async sendFailed(message, thrown) {
      await untilTurn();
      fail(copyOf(message), thrown);
    },
    addDetails: (fields) => void Object.assign(details, fields),
    report(message) {
      if (place.hasTurn() && !signal.aborted) send([copyOf(message)]);
    },
    handOver: place.leave,
  };
}

/** Reports the work to the status and to the record of announcements. */
function reports(
  status: JobStatus,
  announcement: AnnouncementEntry | undefined,
): Pick<Turn, 'onProgress' | 'onSpoken' | 'note'> {
  return {
    onProgress(activity) {
      status.progress(activity);
      if ('count' in activity) announcement?.note(progressFacts(activity));
    },
    onSpoken(result) {
      status.spoken(result);
      announcement?.note(resultFacts(result));
    },
    note: (facts) => announcement?.note(facts),
  };
}

const progressFacts = ({ done, count }: { done: number; count: number }): AnnouncementFacts => ({
  progress: { done, count },
});

function resultFacts(result: JobResult): AnnouncementFacts {
  if ('count' in result) return progressFacts(result);
  if (!('seconds' in result)) return {};
  const { seconds, isCached = false } = result;
  return { seconds, cached: isCached };
}
