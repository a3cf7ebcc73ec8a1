import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import type { CallOptions } from '../calls/call-options.js';
import { voiceSettings } from '../interface/models.js';
import { predictDuration, type SpeechRequest } from '../interface/operations.js';
import { mapInOrder } from './in-order.js';
import type { SpeechService } from './service.js';

const FIELD = 'voice_settings.duration';
/** Seconds of one request. */
const { min: SHORTEST, max: LONGEST } = voiceSettings.duration;

/**
 * Divides `duration`, the length of the whole text, among the requests of its chunks, in proportion to their predicted
 * lengths. The request of a text of one chunk stays the same.
 * @throws SpeechError `bad-request` if the chunks together cannot be that long; the failure of a prediction
 */
export async function shareDuration(
  service: SpeechService,
  requests: SpeechRequest[],
  options: CallOptions,
): Promise<SpeechRequest[]> {
  const [{ voice_settings: { duration = 0 } = {} } = {}] = requests;
  const count = requests.length;
  const limit = LONGEST * count;
  if (duration > limit) {
    const rule =
      count > 1
        ? text('rule-duration', { limit, each: LONGEST, count })
        : text('rule-between', { min: SHORTEST, max: limit });
    throw new SpeechError('bad-request', text('invalid', { field: FIELD, value: duration, rule }));
  }
  if (duration === 0 || count < 2) return requests;
  const free = requests.map((request) => withDuration(request, 0));
  const shares = sharesOf(duration, await predictions(service, free, options));
  return free.map((request, index) => withDuration(request, shares[index] ?? 0));
}

const withDuration = (request: SpeechRequest, duration: number): SpeechRequest => ({
  ...request,
  voice_settings: { ...request.voice_settings, duration },
});

const predictions = (
  { account, settings: { concurrency } }: SpeechService,
  requests: SpeechRequest[],
  { signal: parent, priority }: CallOptions,
): Promise<number[]> =>
  mapInOrder(requests, { concurrency, signal: parent }, async (request, _index, signal) => {
    const { value } = await account.send(predictDuration, request, { priority, signal });
    return value.duration;
  });

/** Divides seconds in proportion to the weights. If a share would exceed the longest request, the others share the rest. */
function sharesOf(seconds: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => (total > 0 ? (seconds * weight) / total : seconds / weights.length));
  if (shares.every((share) => share <= LONGEST)) return shares;
  const isFull = (index: number) => (shares[index] ?? 0) > LONGEST;
  const others = weights.filter((_, index) => !isFull(index));
  const rest = sharesOf(seconds - LONGEST * (weights.length - others.length), others);
  return weights.map((_, index) => (isFull(index) ? LONGEST : (rest.shift() ?? 0)));
}
