import { defineNode } from './runtime/define-node.js';
import { utterance, utteranceLabel, utteranceRequest } from './lib/utterance.js';

/** Seconds of audio that a text of any length would give; free. */
export = defineNode({
  type: 'herald-predict-duration',
  request: utteranceRequest,
  speaks: true,
  label: utteranceLabel,
  properties: utterance,
  async run({ client, request, message, ...options }) {
    const { duration, chunks } = await client.predict(request, options);
    return { ...message, payload: duration, speech: { chunks } };
  },
});
