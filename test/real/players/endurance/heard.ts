/** Milliseconds of a window: a part of a sound that is compared as a whole. */
const WINDOW_MS = 10;
/** Seconds of the record after the sound before, within which a sound must be. */
const NEAR = 30;

/** How often and how completely a sound was played. */
export interface Heard {
  times: number;
  /** The share of its windows that were heard, each exact to the sample; from 0 to 1. */
  share: number;
  /** The place of its first window in the record; -1 without one. */
  place: number;
}

/**
 * Looks for a sound in everything that a speaker has played.
 * @param from the place of the sound before
 * @param rate bytes of a second
 * @param missed seconds of its start that the recorder may miss
 */
export function heardIn(all: Buffer, sound: Buffer, from: number, rate: number, missed: number): Heard {
  const near = all.subarray(from, from + NEAR * rate);
  const size = Math.floor((rate * WINDOW_MS) / 1000 / 4) * 4;
  const first = Math.ceil((missed * rate) / size);
  const windows = Array.from({ length: Math.floor(sound.length / size) - first }, (_, index) =>
    sound.subarray((first + index) * size, (first + index + 1) * size),
  );
  const places = windows.flatMap((window) => {
    const place = near.indexOf(window);
    return place < 0 ? [] : [{ window, place }];
  });
  const isDoubled = places.some(({ window, place }) => near.includes(window, place + size));
  return {
    times: places.length === 0 ? 0 : isDoubled ? 2 : 1,
    share: places.length / windows.length,
    place: places[0] === undefined ? -1 : from + places[0].place,
  };
}
