import { FRAME_SECONDS, trackPitch } from './pitch.js';

/** Distance between marks in unvoiced speech, in seconds. */
const UNVOICED_STEP = 0.008;

/** The position of one pitch period. */
interface Mark {
  /** Sample index. */
  at: number;
  /** Samples to the next mark. */
  period: number;
  voiced: boolean;
}

/**
 * Changes the pitch of speech and keeps its timing and timbre (TD-PSOLA: Moulines and Charpentier, 1990). Copies grains of
 * two periods to the distance of the new period.
 * @param samples mono, -1 to 1
 * @param newPitch maps a pitch in hertz to the new pitch in hertz
 */
export function changePitch(
  samples: Float32Array,
  sampleRate: number,
  newPitch: (pitch: number) => number,
): Float32Array {
  const marks = pitchMarks(samples, sampleRate);
  const result = new Float32Array(samples.length);
  const weight = new Float32Array(samples.length);
  let nearest = 0;
  for (let at = 0; at < samples.length;) {
    while (isNearer(marks[nearest + 1], marks[nearest], at)) nearest++;
    const mark = marks[nearest];
    if (mark === undefined) break;
    addGrain(samples, mark, Math.round(at), result, weight);
    at += mark.voiced ? sampleRate / newPitch(sampleRate / mark.period) : mark.period;
  }
  // Only overlapping grains are normalized. Gaps between distant grains are intended.
  return result.map((value, index) => value / Math.max(1, weight[index] ?? 1));
}

function isNearer(next: Mark | undefined, mark: Mark | undefined, at: number): boolean {
  return next !== undefined && mark !== undefined && Math.abs(next.at - at) < Math.abs(mark.at - at);
}

/** Returns one mark per period, at its loudest sample, so that grains overlap in phase. */
function pitchMarks(samples: Float32Array, sampleRate: number): Mark[] {
  const track = trackPitch(samples, sampleRate);
  const marks: Mark[] = [];
  for (let at = 0; at < samples.length;) {
    const pitch = track[Math.floor(at / sampleRate / FRAME_SECONDS)] ?? 0;
    const voiced = pitch > 0;
    const period = Math.round(voiced ? sampleRate / pitch : UNVOICED_STEP * sampleRate);
    const peak = voiced ? loudest(samples, at, Math.round(period / 5)) : at;
    marks.push({ at: peak, period, voiced });
    at = peak + period;
  }
  return marks;
}

function loudest(samples: Float32Array, centre: number, reach: number): number {
  let best = centre;
  for (let at = Math.max(0, centre - reach); at <= centre + reach; at++) {
    if ((samples[at] ?? 0) > (samples[best] ?? 0)) best = at;
  }
  return best;
}

/** Adds two periods around the mark at the target position, with a Hann window. */
function addGrain(
  samples: Float32Array,
  mark: Mark,
  target: number,
  result: Float32Array,
  weight: Float32Array,
): void {
  for (let offset = -mark.period; offset < mark.period; offset++) {
    const to = target + offset;
    if (to < 0 || to >= result.length) continue;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * offset) / mark.period);
    result[to] = (result[to] ?? 0) + window * (samples[mark.at + offset] ?? 0);
    weight[to] = (weight[to] ?? 0) + window;
  }
}
