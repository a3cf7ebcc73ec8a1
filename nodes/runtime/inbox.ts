import { type Progress, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI, NodeMessage, NodeMessageInFlow } from 'node-red';
import { type Done, fail, type Outlet, type Send, settle } from './ports.js';
import { type Job, MAX_WAITING, SerialQueue } from './queue.js';
import { pace } from './pace.js';
import { isReset, priorityOf, type QueueMode } from './queue-mode.js';
import { createStatus, type StatusBoard } from './status.js';
import { earlierFailure } from './earlier-failure.js';
import { localize } from './localize.js';
import { say } from './messages.js';

/** The context in which a node processes one message. */
export interface Turn {
  /** Fires if the message is stopped. */
  signal: AbortSignal;
  /** The value of `msg.priority`, 0 by default. Higher priorities go first. */
  priority: number;
  /** True if the message failed before and was sent again. It then waits for earlier messages in any queue mode. */
  again: boolean;
  onProgress: (progress: Progress) => void;
}

export interface InboxOptions {
  RED: NodeAPI;
  node: Node;
  /** Returns the message or messages for the first output. @throws SpeechError */
  process(message: NodeMessage, turn: Turn): Promise<NodeMessage | NodeMessage[]>;
  /** Returns the queue mode of a new message. Must not reject. */
  queueModeOf(message: NodeMessage): Promise<QueueMode>;
  /** Releases the node's resources when Node-RED stops it, after the last message has left. */
  close(): Promise<void>;
}

/**
 * Receives the messages of a node and processes them one at a time. A higher `msg.priority` goes first. `msg.reset` stops
 * all messages. Each message leaves exactly once, also if Node-RED stops the node.
 */
export function openInbox(options: InboxOptions): void {
  const inbox = new Inbox(options);
  options.node.on('input', (message, send, done) => inbox.receive(message, send, done));
  options.node.on('close', (_removed: boolean, done: () => void) => void inbox.close().then(done));
}

class Inbox {
  private readonly queue = new SerialQueue();
  private readonly status: StatusBoard;
  private readonly outlet: Outlet;
  private closing = false;

  constructor(private readonly options: InboxOptions) {
    const { node, RED } = options;
    this.status = createStatus(node, RED, () => this.queue.waiting);
    // A deploy removes nodes one by one. During that time a missing node does not mean a missing wire.
    const exists = (id: string) => this.closing || Boolean(RED.nodes.getNode(id));
    this.outlet = { RED, node, exists };
  }

  receive(message: NodeMessageInFlow, send: Send, done: Done): void {
    if (isReset(message)) {
      this.queue.stop(new SpeechError('aborted', say('reset')), { running: true });
      done();
      return;
    }
    // A loop must not undo `msg.reset` (docs/decisions/0038).
    if (earlierFailure(message) === 'aborted') {
      done();
      return;
    }
    const job = this.jobOf(message, send, done);
    if (this.queue.add(job)) {
      this.status.refresh();
      void this.applyQueueMode(message, job);
    } else {
      fail(this.outlet, message, queueFull(), send, done);
    }
  }

  async close(): Promise<void> {
    const { RED, node, close } = this.options;
    const { size } = this.queue;
    // A full deploy also stops the nodes behind this one, so this log line can be the only trace of the messages. It does
    // not claim that the messages leave: Node-RED may drop them.
    if (size > 0) node.warn(localize(RED, say('stopped-messages', { size })));
    this.closing = true;
    await this.queue.close(new SpeechError('aborted', say('node-stopped')));
    await close();
    this.status.clear();
  }

  private jobOf(message: NodeMessageInFlow, send: Send, done: Done): Job {
    const priority = priorityOf(message);
    const run = async (signal: AbortSignal) => {
      this.status.progress({ state: 'queued' });
      const again = earlierFailure(message) !== undefined;
      const turn = { signal, priority, again, onProgress: this.status.progress };
      let seconds: number | undefined;
      const process = async () => {
        const work = () => this.options.process(message, turn);
        const result = await (again ? pace(signal, work) : work());
        seconds = secondsOf(result);
        return result;
      };
      const error = await settle(this.outlet, message, process, send, done);
      // An intended stop does not count as a failure.
      if (error === undefined || error.route === 'stopped') this.status.done(seconds);
      else this.status.failed(error);
    };
    const drop = async (reason: SpeechError) => {
      fail(this.outlet, message, reason, send, done);
      if (this.queue.size === 0) this.status.done();
      else this.status.refresh();
    };
    // Only Node-RED or one of its hooks can throw here, while the message leaves. The next messages continue.
    const logError = (thrown: unknown) => this.options.node.error(thrown);
    return {
      priority,
      run: (signal) => run(signal).catch(logError),
      drop: (reason) => void drop(reason).catch(logError),
    };
  }

  /** Stops the earlier messages that the new message replaces or interrupts. */
  private async applyQueueMode(message: NodeMessage, job: Job): Promise<void> {
    // Messages of a retry loop would otherwise stop each other for ever.
    if (earlierFailure(message) !== undefined) return;
    const mode = await this.options.queueModeOf(message);
    if (mode === 'wait') return;
    const reason = new SpeechError('superseded', say(outcomes[mode]));
    this.queue.stop(reason, { before: job, running: mode === 'interrupt' });
  }
}

const outcomes = { replace: 'replaced', interrupt: 'interrupted' } as const;

/** Returns the length of the audio in a result: `msg.speech.duration` of nodes that speak. */
function secondsOf(result: NodeMessage | NodeMessage[]): number | undefined {
  const speech: unknown = Array.isArray(result) ? undefined : Reflect.get(result, 'speech');
  const seconds: unknown =
    typeof speech === 'object' && speech !== null ? Reflect.get(speech, 'duration') : undefined;
  return typeof seconds === 'number' ? seconds : undefined;
}

function queueFull(): SpeechError {
  return new SpeechError('busy', say('queue-full', { limit: MAX_WAITING }));
}
