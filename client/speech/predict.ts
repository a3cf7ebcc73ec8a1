import type { Account } from '../calls/account.js';
import { predictDuration } from '../interface/operations.js';
import type { Text } from '../messages.js';
import { eachChunk } from './each-chunk.js';
import { type PlanOptions, planSpeech } from './plan.js';
import { rounded } from './rounded.js';
import type { SpokenChunk } from './speak.js';
import type { SpeechRequest } from './speech-request.js';

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
  account: Account,
  request: SpeechRequest,
  options: PlanOptions = {},
): Promise<Prediction> {
  const { concurrency, maxTextLength } = account.settings;
  const plan = await planSpeech(account, request, options, maxTextLength);
  const chunks: SpokenChunk[] = [];
  let end = 0;
  const replies = eachChunk(plan, { ...options, concurrency }, (chunk, chunkOptions) =>
    account.send(predictDuration, chunk, chunkOptions),
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
