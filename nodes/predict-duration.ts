import { defineNode } from './runtime/define-node.js';
import { utterance, utteranceLabel, utteranceRequest } from './lib/utterance.js';

/** Predicts the duration of speech in seconds for a text of any length. Costs no credits. */
export = defineNode({
  type: 'herald-predict-duration',
  request: utteranceRequest,
  speaks: true,
  label: utteranceLabel,
  properties: utterance,
  async run({ client, request, message, ...options }) {
    const { duration, chunks, warnings } = await client.predict(request, { ...options, checked: true });
    return { ...message, payload: duration, speech: { chunks, warnings } };
  },
});
