import { asSpeechError } from '../base/errors.js';
import type { Text } from '../base/messages.js';
import { rounded } from '../base/rounding.js';
import { TextProgress } from '../calls/progress.js';
import { predictDuration, type SpeechRequest } from '../interface/operations.js';
import { mapInOrder } from './in-order.js';
import { type PlanOptions, planSpeech, type SpeechPlan } from './plan.js';
import { ofPiece } from './open-text.js';
import type { SpeechService } from './service.js';
import type { SpokenChunk } from './speak.js';

/** The predicted seconds of a text and of each chunk. */
export interface Prediction {
  duration: number;
  chunks: SpokenChunk[];
  /** Whether the client estimated the seconds, because the service predicts none. */
  estimated: boolean;
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
  const { signal, onProgress } = options;
  const progress = new TextProgress(onProgress, plan.cuts.length);
  const durations = await mapInOrder(plan.requests, { concurrency, signal }, async (piece, index, signal) => {
    const own = { ...options, signal, onProgress: progress.ofRequest };
    try {
      const { value } = await service.account.send(predictDuration, piece, own);
      progress.completed();
      return value.duration;
    } catch (thrown) {
      throw ofPiece(asSpeechError(thrown), plan, index);
    }
  });
  return describe(plan, durations, service.features.estimates);
}

function describe(
  { cuts, warnings }: SpeechPlan,
  durations: readonly number[],
  estimated: boolean,
): Prediction {
  const chunks: SpokenChunk[] = [];
  let end = 0;
  for (const [index, duration] of durations.entries()) {
    chunks.push({ text: cuts[index]?.text ?? '', start: rounded(end), duration: rounded(duration) });
    end += duration;
  }
  return {
    duration: rounded(end),
    chunks,
    estimated,
    warnings: warnings.map(({ english }) => english),
    warningTexts: warnings,
  };
}
