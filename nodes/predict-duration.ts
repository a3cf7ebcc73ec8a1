import type { Progress } from '@herald-speech/client';
import { defineNode } from './lib/define-node.js';
import {
  completeRequest,
  textLeft,
  utteranceProperties,
  utteranceLabel,
  utteranceRequest,
} from './lib/utterance.js';
import { localize } from './runtime/localize.js';

/** Predicts the duration of speech in seconds for a text of any length. Costs no credits. */
export = defineNode({
  type: 'herald-predict-duration',
  request: () => utteranceRequest().refine(...textLeft()),
  speaks: true,
  label: utteranceLabel,
  properties: utteranceProperties,
  async run(task) {
    const { account, client, message, signal, priority, onSpoken, RED } = task;
    const onProgress = (progress: Progress) =>
      task.onProgress(progress.state === 'speaking' ? { ...progress, state: 'predicting' } : progress);
    const { markup, ...request } = await completeRequest(task);
    const options = { signal, priority, onProgress, markup, checked: true };
    // As text to speech does by default, so that the chunks are its pieces.
    const pieces = { quickStart: true, pronunciations: account.speaker.pronunciations() };
    const prediction = await client.predict(request, { ...options, ...pieces });
    const { duration, chunks, estimated, warningTexts } = prediction;
    const [warning] = task.warnings;
    if (warning !== undefined) onSpoken({ warning });
    const warnings = [...task.warnings, ...warningTexts].map((text) => localize(RED, text));
    return { ...message, payload: duration, speech: { chunks, ...(estimated && { estimated }), warnings } };
  },
});
