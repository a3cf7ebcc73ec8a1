import type { Node, NodeMessage } from 'node-red';
import type { NodeContext } from '../../lib/define-node.js';
import { exactValue } from '../../runtime/exact-values.js';
import { Gate } from './rows/gate.js';
import type { ReportView, RunView } from './views.js';

/** A deployed prompts node: its current run, and the last table that it received. */
export class NodeState {
  readonly gate = new Gate();
  /** The input of the last run. `undefined` before the first run. */
  lastInput: unknown;
  /** The run in work. Undefined between runs. */
  private running: Pick<RunView, 'done' | 'count' | 'made' | 'cached' | 'failed' | 'secondsLeft'> | undefined;
  private report: ReportView | undefined;
  private error: string | undefined;

  constructor(
    readonly node: Node,
    readonly context: NodeContext,
  ) {}

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  get view(): RunView {
    const idle = { done: 0, count: 0, made: 0, cached: 0, failed: 0 };
    const phase = this.running === undefined ? 'idle' : this.gate.isPaused ? 'paused' : 'running';
    return { phase, ...idle, ...this.running, report: this.report, error: this.error };
  }

  start(): void {
    this.running = { done: 0, count: 0, made: 0, cached: 0, failed: 0 };
    [this.report, this.error] = [undefined, undefined];
  }

  progress(figures: NonNullable<NodeState['running']>): void {
    this.running = figures;
  }

  end({ report, error }: { report?: ReportView; error?: string }): void {
    this.running = undefined;
    [this.report, this.error] = [report, error];
    this.gate.onChange = () => {};
    this.gate.resume();
  }
}

const states = new Map<string, NodeState>();

export const stateOfNode = (id: string): NodeState | undefined => states.get(id);

/** Keeps the state of a node until the returned function is called. */
export function keepNodeState(node: Node, context: NodeContext): () => void {
  const state = new NodeState(node, context);
  states.set(node.id, state);
  return () => {
    if (states.get(node.id) === state) states.delete(node.id);
  };
}

/** Handles `msg.pause` and `msg.resume`. Returns whether the message has one of them. */
export function controlRun({ pause, resume }: NodeMessage, node: Node): boolean {
  const state = stateOfNode(node.id);
  if (isSet(resume)) state?.gate.resume();
  else if (!isSet(pause)) return false;
  else if (state?.isRunning === true) state.gate.pause();
  return true;
}

/** Whether a message field is set: to any value except an empty value, 0, false and the text `false`. */
const isSet = (value: unknown): boolean => Boolean(exactValue(value, 'bool'));
