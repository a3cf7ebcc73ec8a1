import { defineNode } from './runtime/define-node.js';
import { localize } from './runtime/localize.js';
import { utterance, utteranceLabel, utteranceRequest } from './lib/utterance.js';

/** Predicts the duration of speech in seconds for a text of any length. Costs no credits. */
export = defineNode({
  type: 'herald-predict-duration',
  request: utteranceRequest,
  speaks: true,
  label: utteranceLabel,
  properties: utterance,
  async run({ client, request, message, RED, ...options }) {
    const { duration, chunks, warningTexts } = await client.predict(request, { ...options, checked: true });
    const warnings = warningTexts.map((text) => localize(RED, text));
    return { ...message, payload: duration, speech: { chunks, warnings } };
  },
});
