import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import {
  type Flow,
  type FlowNode,
  type FlowOptions,
  type Message,
  withFlow,
} from '../support/node-red/flow.js';
import { exampleFiles } from './files.js';
import { until } from '../support/waiting.js';

const FOLDER = path.resolve(__dirname, '../../examples');

/** Core nodes of the examples, in addition to the core nodes of each test flow. */
const CORE = [
  'common/20-inject.js',
  'common/21-debug.js',
  'common/60-link.js',
  'common/90-comment.js',
  'function/10-switch.js',
  'function/10-function.js',
  'function/15-change.js',
  'function/80-template.js',
  'function/89-delay.js',
  'function/rbe.js',
  'network/10-mqtt.js',
  'network/21-httpin.js',
  'network/21-httprequest.js',
  'network/22-websocket.js',
  'network/31-tcpin.js',
  'parsers/70-CSV.js',
  'parsers/70-JSON.js',
  'storage/10-file.js',
];

const node = z.looseObject({
  id: z.string(),
  type: z.string(),
  z: z.string().optional(),
  name: z.string().optional(),
  account: z.string().optional(),
  wires: z.array(z.array(z.string())).optional(),
});
type ExampleNode = z.output<typeof node>;

/** Reads an example. The editor uses a `global-config` for the packages that it offers to install, and does not import it. */
const nodesOf = (file: string): ExampleNode[] =>
  z
    .array(node)
    .parse(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')))
    .filter(({ type }) => type !== 'global-config');

/** The nodes of each example by its place in the menu, such as `long-text` or `home/home-assistant`. */
export const examples: ReadonlyMap<string, ExampleNode[]> = new Map(
  exampleFiles(FOLDER).map((file) => [file.replace(/\.json$/, ''), nodesOf(file)]),
);

/** A running example. */
export interface Running extends Flow {
  /** The nodes of the example. */
  nodes: readonly FlowNode[];
  /** Presses the button of an inject node. */
  press(id: string): void;
  /** Returns the messages that a node has received. */
  seen(id: string): Message[];
  /** Waits until a node has received `count` messages and returns them. */
  at(id: string, count?: number): Promise<Message[]>;
  /** Waits for the first message of a node and returns it. */
  first(id: string): Promise<Message>;
}

export interface ExampleOptions extends FlowOptions {
  /** Properties that override the example's, by node id. */
  other?: Record<string, object>;
  /** Additional nodes. */
  more?: FlowNode[];
}

/** Imports an example into Node-RED, applies the options and runs it. */
export function withExample<Result>(
  name: string,
  work: (running: Running) => Promise<Result>,
  { other = {}, more = [], ...options }: ExampleOptions = {},
): Promise<Result> {
  const imported = examples.get(name) ?? [];
  const nodes = imported
    .filter(({ type }) => type !== 'tab' && type !== 'group')
    .map(({ z: _flow, g: _group, wires, ...rest }) => ({
      ...rest,
      ...(wires && { wires }),
      ...other[rest.id],
    }));
  return withFlow([...nodes, ...more], (flow) => work(running(flow, nodes)), { core: CORE, ...options });
}

function running(flow: Flow, nodes: readonly FlowNode[]): Running {
  const boxes = new Map<string, Message[]>();
  for (const { id } of nodes) {
    const box: Message[] = [];
    boxes.set(id, box);
    flow.node(id).on('input', (message) => box.push(message));
  }
  const seen = (id: string) => boxes.get(id) ?? [];
  const at = async (id: string, count = 1) => {
    await until(
      () => seen(id).length >= count,
      () => `${seen(id).length} of ${count} messages arrived at ${id}; ${flow.logged().slice(-5).join('; ')}`,
    );
    return seen(id);
  };
  const first = async (id: string) => {
    const [message] = await at(id);
    if (message === undefined) throw new Error(`no message arrived at ${id}`);
    return message;
  };
  return { ...flow, nodes, press: (id) => flow.send(id, {}), seen, at, first };
}

/**
 * Returns the duration in seconds of complete audio that is not silent.
 * @throws Error if the audio is silent
 * @throws AudioError if the audio is truncated
 */
export function secondsOf(audio: Uint8Array): number {
  const sound = new Set(audio.subarray(44));
  if (sound.size < 100) throw new Error('the audio is silent');
  return inspectAudio(audio).duration;
}
