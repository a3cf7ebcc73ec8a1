import { asSpeechError, failures, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI, NodeMessage, NodeMessageInFlow } from 'node-red';
import type { AnnouncementEntry } from '../runtime/activity/announcement.js';
import { type Done, fail, type Origin, type Outlet, type Send, settle } from '../runtime/ports.js';
import { MAX_WAITING, OrderedQueue } from '../runtime/queue/queue.js';
import type { QueueJob, QueuePlace } from '../runtime/queue/queue-entry.js';
import type { Announcer } from './announcer.js';
import { isReset, priorityOf, type QueueMode } from './queue-mode.js';
import { createStatus, type JobStatus, statusOfJob, type StatusBoard, toEditors } from '../runtime/status.js';
import { Replacements } from '../runtime/queue/replacements.js';
import { DelayedFailures } from '../runtime/queue/delayed-failures.js';
import { type EarlierFailure, earlierFailure } from '../runtime/earlier-failure.js';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { type Turn, turnOf } from '../runtime/turn.js';

interface InboxOptions {
  RED: NodeAPI;
  node: Node;
  /** Returns the message or messages for the first output; none if all were sent. @throws SpeechError */
  process(message: NodeMessage, turn: Turn): Promise<NodeMessage | NodeMessage[]>;
  /** Returns the queue mode of a new message. Must not reject. */
  queueModeOf(message: NodeMessage): Promise<QueueMode>;
  /** Returns the number of messages that the node processes at a time. Must not reject. */
  parallel(): Promise<number>;
  /** Handles a message that controls the work on others, at once. Returns whether it did. Must not throw. */
  control?(message: NodeMessage): boolean;
  /** Records the messages of a node that speaks. */
  announcer?: Announcer | undefined;
  /**
   * Releases the node's resources when Node-RED stops it, after the last message has left.
   * @param isRemoved whether the node was deleted or disabled
   */
  close(isRemoved: boolean): Promise<void>;
}

/**
 * Receives the messages of a node and processes some at a time. They leave in the order of their arrival. A higher
 * `msg.priority` goes first. `msg.reset` stops all messages. Each message leaves exactly once, also if Node-RED stops the
 * node.
 */
export function openInbox(options: InboxOptions): void {
  const inbox = new Inbox(options);
  options.node.on('input', (message, send, done) => inbox.receive(message, send, done));
  options.node.on('close', (isRemoved: boolean, done: () => void) => void inbox.close(isRemoved).then(done));
}

/** Number of messages that all nodes have received. It counts on after a deploy. */
let arrivals = 0;

class Inbox {
  private readonly queue = new OrderedQueue();
  private readonly delayed = new DelayedFailures();
  private readonly replacements = new Replacements();
  private readonly status: StatusBoard;
  private readonly outlet: Outlet;
  private closing = false;

  constructor(private readonly options: InboxOptions) {
    const { node, RED } = options;
    this.status = createStatus(node, RED, () => this.queue.waiting, toEditors(RED, node.id));
    // A deploy removes nodes one by one. During that time a missing node does not mean a missing wire.
    const exists = (id: string) => this.closing || Boolean(RED.nodes.getNode(id));
    this.outlet = { RED, node, exists };
    void options.parallel().then((parallel) => (this.queue.parallel = parallel));
  }

  receive(message: NodeMessageInFlow, send: Send, done: Done): void {
    if (this.control(message)) return done();
    const item = this.itemOf(message, send, done);
    if (this.hasEnded(item)) return;
    const job = this.jobOf(item);
    const stop = () => this.queue.stop(stoppedByUser(), { only: job, running: true });
    item.announcement = this.options.announcer?.add(message, stop);
    if (this.queue.add(job)) {
      this.status.refresh();
      void this.applyQueueMode(item, job);
    } else {
      this.failLater(item, performance.now(), queueFull());
      item.announcement?.ended(queueFull());
    }
  }

  /** Handles a message that controls the work on others. Returns whether it did. */
  private control(message: NodeMessage): boolean {
    if (!isReset(message)) return this.options.control?.(message) === true;
    this.options.announcer?.silence();
    this.stopAll(new SpeechError('aborted', say('reset')));
    return true;
  }

  /** Lets a message leave whose work was stopped during its retry loop. Returns whether it was. */
  private hasEnded({ earlier, arrival, priority, done, fail }: Item): boolean {
    if (isStopped(earlier)) done();
    else if (earlier && this.replacements.covers(arrival, priority))
      fail(new SpeechError('superseded', say('superseded-loop')));
    else return false;
    return true;
  }

  async close(isRemoved: boolean): Promise<void> {
    const { RED, node, close } = this.options;
    const size = this.queue.size + this.delayed.size;
    // A full deploy also stops the nodes behind this one, so this log line can be the only trace of the messages. It does
    // not claim that the messages leave: Node-RED may drop them.
    if (size > 0) node.warn(localize(RED, say('stopped-messages', { size })));
    this.closing = true;
    const reason = new SpeechError('aborted', say('node-stopped'));
    await this.queue.close(reason);
    this.delayed.stop(reason);
    await close(isRemoved);
    this.status.clear();
  }

  private stopAll(reason: SpeechError): void {
    this.queue.stop(reason, { running: true });
    this.delayed.stop(reason);
  }

  private itemOf(message: NodeMessageInFlow, send: Send, done: Done): Item {
    const node = this.options.node.id;
    const earlier = earlierFailure(message, node);
    const arrival = earlier?.arrival ?? (arrivals += 1);
    const origin = { node, arrival };
    const priority = priorityOf(message);
    const details: object = {};
    const leave = (thrown: unknown) =>
      fail(this.outlet, { ...message, ...details }, thrown, send, done, origin);
    return { message, send, done, earlier, arrival, priority, origin, details, fail: leave };
  }

  private jobOf(item: Item): QueueJob {
    const status = statusOfJob(this.status);
    const drop = async (reason: SpeechError) => {
      item.announcement?.ended(reason);
      item.fail(reason);
      if (this.queue.size === 0) this.status.done();
      else this.status.refresh();
    };
    return {
      priority: item.priority,
      lead: status.lead,
      run: (place) => this.run(item, place, status).catch(this.logError),
      drop: (reason) => void drop(reason).catch(this.logError),
    };
  }

  private async run(item: Item, place: QueuePlace, status: JobStatus): Promise<void> {
    const { message, send, done, announcement } = item;
    const startedAt = performance.now();
    announcement?.started();
    const work = inTurn(place, this.options.process(message, this.turnOf(item, place, status)));
    // The message gets the error in the language of Node-RED, status and record the one that each editor gets in its language.
    let original: SpeechError | undefined;
    const failed = (thrown: unknown) => {
      original = asSpeechError(thrown);
      return this.failLater(item, startedAt, original);
    };
    const error = await settle(this.outlet, message, work, send, done, failed);
    const failure = error && (original ?? error);
    announcement?.ended(failure);
    if (failure === undefined) status.done();
    else status.failed(failure);
  }

  private turnOf(item: Item, place: QueuePlace, status: JobStatus): Turn {
    const startedAt = performance.now();
    return turnOf(this.options.RED, item, place, status, (message, thrown) => {
      const leave = (reason: unknown) => this.failCopy(item, message, reason);
      this.failLater({ ...item, fail: leave }, startedAt, thrown);
    });
  }

  /** Sends a message that failed during the work on another one. */
  private failCopy({ send, origin }: Item, message: NodeMessage, thrown: unknown): SpeechError {
    const done: Done = (error) => error && this.options.node.error(error, message);
    return fail(this.outlet, message, thrown, send, done, origin);
  }

  /** Sends a failed message, or delays its failure if it came back. */
  private failLater(item: Pick<Item, 'earlier' | 'fail'>, startedAt: number, thrown: unknown): SpeechError {
    const error = asSpeechError(thrown);
    if (item.earlier === undefined || error.route === 'stopped') return item.fail(error);
    this.delayed.add(startedAt, (reason = error) => {
      try {
        item.fail(reason);
      } catch (failure) {
        this.logError(failure);
      }
    });
    return error;
  }

  /** Only Node-RED or one of its hooks can throw while a message leaves. The next messages continue. */
  private readonly logError = (thrown: unknown) => this.options.node.error(thrown);

  /** Stops the earlier messages that the new message replaces or interrupts. */
  private async applyQueueMode(item: Item, job: QueueJob): Promise<void> {
    const { message, earlier, arrival, priority, announcement } = item;
    // Messages of a retry loop would otherwise stop each other for ever.
    if (earlier !== undefined) return;
    const mode = await this.options.queueModeOf(message);
    if (mode === 'wait') return;
    this.replacements.note(arrival, priority);
    if (mode === 'interrupt' && announcement !== undefined) this.options.announcer?.interrupt(announcement);
    const reason = new SpeechError('superseded', say(outcomes[mode]));
    this.queue.stop(reason, { before: job, running: mode === 'interrupt' });
  }
}

/** A received message. */
interface Item {
  message: NodeMessageInFlow;
  send: Send;
  done: Done;
  /** The failure with which the message left this node before. */
  earlier: EarlierFailure | undefined;
  arrival: number;
  priority: number;
  origin: Origin;
  /** Fields that the message gets if it fails. */
  details: object;
  /** The record of the message, if the node speaks. */
  announcement?: AnnouncementEntry | undefined;
  fail(thrown: unknown): SpeechError;
}

/** Returns the result of the work, or its failure, when the message may leave. */
async function inTurn<Result>(place: QueuePlace, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } finally {
    await place.turn(true);
  }
}

/** Whether this node stopped the message before. A loop must not undo the stop (docs/decisions/0038). */
const isStopped = (earlier: EarlierFailure | undefined): boolean =>
  earlier !== undefined && failures[earlier.code].route === 'stopped';

const outcomes = { replace: 'replaced', interrupt: 'interrupted' } as const;

/** A user has stopped the message in the sidebar. */
const stoppedByUser = () => new SpeechError('aborted', say('stopped-by-user'));

function queueFull(): SpeechError {
  return new SpeechError('busy', say('queue-full', { limit: MAX_WAITING }));
}
