import { type Progress, SpeechError } from '@herald-speech/client';
import type { Node, NodeAPI, NodeMessage, NodeMessageInFlow } from 'node-red';
import { type Order, priorityOf } from './queue-mode.js';
import { type Done, fail, type Outlet, type Send, settle } from './ports.js';
import { createQueue, type Job, MAX_WAITING } from './queue.js';
import { createStatus, type StatusBoard } from './status.js';

/** What work on a message needs to know of its node. */
export interface Turn {
  /** Fires when the message is stopped. */
  signal: AbortSignal;
  /** `msg.priority`: higher goes first. */
  priority: number;
  onProgress: (progress: Progress) => void;
}

export interface InboxOptions {
  RED: NodeAPI;
  node: Node;
  /** What comes of a message. @throws SpeechError */
  work(message: NodeMessage, turn: Turn): Promise<NodeMessage | NodeMessage[]>;
  /** What a message does to those before it. Must not reject. */
  orderOf(message: NodeMessage): Promise<Order>;
  /** Called when a node is stopped, after its last message has left. */
  close(): Promise<void>;
}

/**
 * Takes the messages of a node: they are worked on one after the other, those of a higher `msg.priority` first, and
 * `msg.reset` stops them all. Each leaves exactly once, also when the node is stopped.
 */
export function openInbox(options: InboxOptions): void {
  const inbox = new Inbox(options);
  options.node.on('input', (message, send, done) => inbox.receive(message, send, done));
  options.node.on('close', (_removed: boolean, done: () => void) => void inbox.close().then(done));
}

class Inbox {
  private readonly queue = createQueue();
  private readonly status: StatusBoard;
  private readonly outlet: Outlet;
  private closing = false;

  constructor(private readonly options: InboxOptions) {
    const { node, RED } = options;
    this.status = createStatus(node, () => this.queue.waiting);
    // A deploy takes nodes away one by one: who is still there then says nothing about the flow.
    const isThere = (id: string) => this.closing || Boolean(RED.nodes.getNode(id));
    this.outlet = { node, isThere };
  }

  receive(message: NodeMessageInFlow, send: Send, done: Done): void {
    if (message['reset']) {
      this.queue.stop(new SpeechError('aborted', 'stopped by msg.reset'), { running: true });
      done();
      return;
    }
    const job = this.jobOf(message, send, done);
    if (this.queue.add(job)) {
      this.status.refresh();
      void this.makeWay(message, job);
    } else {
      fail(this.outlet, message, tooMany(), send, done);
    }
  }

  async close(): Promise<void> {
    const { node, close } = this.options;
    const { size } = this.queue;
    // A full deploy stops those who would get them as well: then this is all that is heard of them.
    if (size > 0) node.warn(`stopped with ${size} messages in hand: they leave as failed`);
    this.closing = true;
    await this.queue.close(new SpeechError('aborted', 'the node was stopped or deployed anew'));
    await close();
    this.status.clear();
  }

  private jobOf(message: NodeMessageInFlow, send: Send, done: Done): Job {
    const priority = priorityOf(message);
    const run = async (signal: AbortSignal) => {
      this.status.progress({ state: 'queued' });
      const turn = { signal, priority, onProgress: this.status.progress };
      this.show(await settle(this.outlet, message, () => this.options.work(message, turn), send, done));
    };
    const drop = async (reason: SpeechError) => {
      fail(this.outlet, message, reason, send, done);
      if (this.queue.size === 0) this.status.done();
      else this.status.refresh();
    };
    // What is caught here was thrown by Node-RED, or a hook in it, while the message left: those behind go on.
    const complain = (thrown: unknown) => this.options.node.error(thrown);
    return {
      priority,
      run: (signal) => run(signal).catch(complain),
      drop: (reason) => void drop(reason).catch(complain),
    };
  }

  /** What was stopped on purpose is no failure to keep in sight. */
  private show(error: SpeechError | undefined): void {
    if (error === undefined || error.code === 'aborted') this.status.done();
    else this.status.failed(error);
  }

  private async makeWay(message: NodeMessage, job: Job): Promise<void> {
    const order = await this.options.orderOf(message);
    if (order === 'wait') return;
    const reason = new SpeechError('aborted', `a newer message came, which ${words[order]} this one`);
    this.queue.stop(reason, { before: job, running: order === 'interrupt' });
  }
}

const words = { replace: 'replaces', interrupt: 'interrupts' };

function tooMany(): SpeechError {
  return new SpeechError(
    'busy',
    `${MAX_WAITING} messages wait at this node already: send again when fewer do`,
  );
}
