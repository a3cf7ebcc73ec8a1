import { wavHeader, z } from '@herald-speech/client';
import {
  type Flow,
  type FlowNode,
  type FlowOptions,
  type Message,
  speechNode,
  withHostedFlow,
} from '../../support/node-red/flow.js';
import { serving } from '../../support/net/serve.js';

/** Hertz of the speech. */
export const RATE = 44_100;
/** Bytes of a second of speech. */
export const SECOND = 2 * RATE;

const fileOf = (samples: Buffer): Buffer =>
  Buffer.concat([
    wavHeader({ encoding: 'pcm', channels: 1, sampleRate: RATE, bitsPerSample: 16 }, samples.length),
    samples,
  ]);

/** Returns a config node of a speaker. */
export const speakerNode = (name: string, more: object): FlowNode => ({
  id: `id-of-${name}`,
  type: 'herald-speaker',
  name,
  ...more,
});

/** Returns the node `node` that speaks on speakers. */
export const announcing = (more: object = {}): FlowNode =>
  speechNode('text-to-speech', { output: 'speaker', cache: 'false', ...more });

/**
 * Runs `work` with a flow that speaks on speakers. A text is spoken as the samples of `speech`.
 * @param work `say` sends a message whose audio players can fetch
 */
export const withSpeakers = (
  speech: (text: string) => Buffer,
  nodes: FlowNode[],
  work: (say: (text: string, more?: object, node?: string) => void, flow: Flow) => Promise<void>,
  options: FlowOptions = {},
): Promise<void> =>
  withHostedFlow(
    ({ json }) => ({
      headers: { 'content-type': 'audio/wav' },
      body: fileOf(speech(String(json['text']))),
    }),
    nodes,
    (flow) =>
      serving(flow.RED.httpNode, (base_url) =>
        work((payload, more, node = 'node') => flow.send(node, { payload, base_url, ...more }), flow),
      ),
    options,
  );

const spoken = z.object({
  url: z.string(),
  played: z.array(
    z.strictObject({
      speaker: z.string(),
      start: z.iso.datetime().optional(),
      end: z.iso.datetime().optional(),
      proof: z.string().optional(),
      warnings: z.array(z.string()).optional(),
    }),
  ),
});

/** Returns `msg.speech.played`. */
export const playedIn = ({ speech }: Message) => spoken.parse(speech).played;
