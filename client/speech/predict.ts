import type { SpeechService } from './service.js';
import { predictDuration } from '../interface/operations.js';
import type { Text } from '../base/messages.js';
import { eachChunk } from './each-chunk.js';
import { type PlanOptions, planSpeech } from './plan.js';
import { rounded } from '../base/rounded.js';
import type { SpokenChunk } from './speak.js';
import type { SpeechRequest } from '../interface/operations.js';

/** The predicted seconds of a text and of each chunk. */
export interface Prediction {
  duration: number;
  chunks: SpokenChunk[];
  /** Changes to the text, and fields that the client does not know. */
  warnings: string[];
  /** `warnings` with keys and values, for translations. */
  warningTexts: readonly Text[];
}

/** Predicts the duration of each chunk. @throws SpeechError of the first failed chunk */
export async function predict(
  service: SpeechService,
  request: SpeechRequest,
  options: PlanOptions = {},
): Promise<Prediction> {
  const { concurrency, maxTextLength } = service.settings;
  const plan = await planSpeech(service, request, options, maxTextLength);
  const chunks: SpokenChunk[] = [];
  let end = 0;
  const replies = eachChunk(plan, { ...options, concurrency }, (chunk, chunkOptions) =>
    service.account.send(predictDuration, chunk, chunkOptions),
  );
  for await (const { value } of replies) {
    const { text = '' } = plan.cuts[chunks.length] ?? {};
    chunks.push({ text, start: rounded(end), duration: rounded(value.duration) });
    end += value.duration;
  }
  const { warnings } = plan;
  return {
    duration: rounded(end),
    chunks,
    warnings: warnings.map(({ english }) => english),
    warningTexts: warnings,
  };
}
