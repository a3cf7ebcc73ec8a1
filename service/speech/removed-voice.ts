import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../kit/errors.js';
import type { Catalogue } from '../voices/catalogue/catalogue.js';
import { isNaturalVoice } from '../voices/catalogue/preset-voice.js';
import { unknownVoice } from '../kit/unknown-voice.js';
import { WorkerError } from '../kit/worker-error.js';
import type { SpeechWork } from './speech-work.js';

/** Milliseconds after which the catalogue has certainly noticed a change of the folder of the natural voices. */
const NOTICED = 1200;

/**
 * Returns the error of a speech request. A natural voice that was removed at the same time gives a 404 in place of an internal
 * error.
 */
export async function orRemoved(
  error: unknown,
  { job }: Pick<SpeechWork, 'job'>,
  catalogue: Catalogue,
): Promise<unknown> {
  const { voice } = job.request;
  const natural = catalogue.get(voice);
  if (!(error instanceof WorkerError && (error.code === 'failed' || error.code === 'voice'))) return error;
  if (natural !== undefined && !isNaturalVoice(natural)) return error;
  if (natural !== undefined) await delay(NOTICED);
  return catalogue.get(voice) === undefined ? new ServiceError(404, unknownVoice(voice)) : error;
}
