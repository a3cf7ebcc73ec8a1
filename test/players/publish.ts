import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener } from 'node:http';
import { prepareDelivery } from '../../nodes/output/delivery.js';
import { type Flow, speechNode, withFlow } from '../support/flow.js';
import { serving } from '../support/serve.js';
import { headerOf, type Speaking, speaking } from '../nodes/output/speaking.js';

const never = new AbortController().signal;

/** Bytes of a second of audio: 16-bit samples at 8,000 hertz. */
export const SECOND = 16_000;

/** Returns loud noise: samples that no player can confuse with silence or with other seconds. */
export const noise = (seconds: number, seed = 1): Buffer => {
  let state = seed;
  const next = () => (state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff) >> 16;
  return Buffer.from(Uint8Array.from({ length: seconds * SECOND }, next));
};

/** Returns a WAV file as the node makes it. */
export const wavOf = (...samples: Buffer[]): Buffer => {
  const data = Buffer.concat(samples);
  return Buffer.concat([headerOf(data.length), data]);
};

/** A Node-RED with a speech node that serves audio. */
export interface Serving {
  /** The requests so far. */
  readonly requests: readonly IncomingMessage[];
  /** Publishes complete audio and returns its URL. */
  publish(...samples: Buffer[]): Promise<string>;
  /** Publishes the first samples of a speech that continues. */
  publishFirst(first: Buffer): Promise<Live>;
}

/** A speech that is still spoken. */
export interface Live {
  url: string;
  add(samples: Buffer): void;
  /** Completes the speech. */
  end(): Promise<void>;
}

/**
 * Runs `work` with a Node-RED that serves audio.
 * @param userDir the folder of the audio
 * @param host the address of this computer at which players reach Node-RED
 */
export const withAudioRoute = (
  userDir: string,
  work: (served: Serving) => Promise<void>,
  host?: string,
): Promise<void> =>
  withFlow(
    [speechNode('text-to-speech', { account: '' })],
    (flow) => {
      const requests: IncomingMessage[] = [];
      const app: RequestListener = (request, response) => {
        requests.push(request);
        flow.RED.httpNode(request, response);
      };
      return serving(app, (origin) => work(servingAt(flow, origin, requests)), host);
    },
    { settings: { userDir } },
  );

function servingAt(flow: Flow, base_url: string, requests: readonly IncomingMessage[]): Serving {
  const deliver = async (url_when: 'first' | 'complete', { rendering }: Speaking) => {
    const wanted = { output: 'url', base_url, url_when } as const;
    const delivery = await prepareDelivery(flow.RED, wanted, () => ({}), never);
    return delivery.deliver(rendering);
  };
  const urlOf = ({ value }: { value?: { payload?: unknown } | void }) =>
    value ? String(value.payload) : assert.fail('no URL');
  return {
    requests,
    async publish(...samples) {
      const speech = speaking(samples.length);
      const results = await deliver('complete', speech);
      for (const data of samples) void speech.add(data);
      speech.end();
      return urlOf(await results.next());
    },
    async publishFirst(first) {
      const speech = speaking(2);
      const results = await deliver('first', speech);
      void speech.add(first);
      const url = urlOf(await results.next());
      const over = results.next();
      return {
        url,
        add: (data) => void speech.add(data),
        async end() {
          speech.end();
          assert.equal((await over).done, true);
        },
      };
    },
  };
}
