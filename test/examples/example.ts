import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspectAudio, z } from '@herald-speech/client';
import {
  type Flow,
  type FlowNode,
  type FlowOptions,
  type Message,
  until,
  withFlow,
} from '../support/flow.js';

const FOLDER = path.resolve(__dirname, '../../examples');

/** Node-RED's own nodes that the examples are made of, beside those that every flow here has. */
const CORE = [
  'common/20-inject.js',
  'common/21-debug.js',
  'common/60-link.js',
  'common/90-comment.js',
  'function/10-switch.js',
  'function/15-change.js',
  'function/80-template.js',
  'function/89-delay.js',
  'function/rbe.js',
  'network/21-httpin.js',
  'parsers/70-CSV.js',
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

/** Every example: its name in the menu, and what is imported. */
export const examples: ReadonlyMap<string, ExampleNode[]> = new Map(
  readdirSync(FOLDER).map((file) => [
    path.basename(file, '.json'),
    z.array(node).parse(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'))),
  ]),
);

/** An example that runs. */
export interface Running extends Flow {
  /** What runs. */
  nodes: readonly FlowNode[];
  /** Presses the button of an inject node. */
  press(id: string): void;
  /** What came to a node so far. */
  seen(id: string): Message[];
  /** What came to a node, once that is `count` messages. */
  at(id: string, count?: number): Promise<Message[]>;
  /** The first message that came to a node. */
  first(id: string): Promise<Message>;
}

export interface ExampleOptions extends FlowOptions {
  /** Other properties, by node id. */
  other?: Record<string, object>;
  /** More nodes. */
  more?: FlowNode[];
}

/** Runs an example as it is imported, in the real Node-RED, with what `options` changes of it. */
export function withExample<Result>(
  name: string,
  work: (running: Running) => Promise<Result>,
  { other = {}, more = [], ...options }: ExampleOptions = {},
): Promise<Result> {
  const imported = examples.get(name) ?? [];
  const nodes = imported
    .filter(({ type }) => type !== 'tab')
    .map(({ z: _flow, wires, ...rest }) => ({ ...rest, ...(wires && { wires }), ...other[rest.id] }));
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
      () => `${seen(id).length} of ${count} messages came to ${id}; ${flow.logged().slice(-5).join('; ')}`,
    );
    return seen(id);
  };
  const first = async (id: string) => {
    const [message] = await at(id);
    if (message === undefined) throw new Error(`nothing came to ${id}`);
    return message;
  };
  return { ...flow, nodes, press: (id) => flow.send(id, {}), seen, at, first };
}

/**
 * Seconds of audio, which has to be whole and not silent.
 * @throws AudioError where it is cut off
 */
export function secondsOf(audio: Uint8Array): number {
  const sound = new Set(audio.subarray(44));
  if (sound.size < 100) throw new Error('nobody speaks in this audio');
  return inspectAudio(audio).duration;
}
