import { SpeakerFault, unreachable } from '../fault.js';
import type { Before, Device, Grade, Kind, Place, Settings, Sound, Warning } from '../kind.js';
import { Watch } from './watch.js';

/** Milliseconds between two looks at a sound that plays. */
const LOOK_MS = 100;
/** Milliseconds by which a look is late if this computer stood still. */
const STILL_MS = 500;
/** Milliseconds to connect, to read the former state, and to restore it. A speaker that answers late needs most of them. */
const READY_MS = 4000;
/** Milliseconds to restore the former state if the time of the announcement is over. */
const LEAST_MS = 1000;

/** The end of an announcement on a speaker. */
export interface Played {
  /** The start and the end of the sound, as milliseconds since 1970. The start is missing if the speaker reports none. */
  start?: number;
  end: number;
  proof: Grade;
  warnings?: readonly Warning[];
}

/** The record of announcements in progress, for a later process. */
export interface Journal {
  /** Notes what must be restored. Resolves when a crash cannot lose it. */
  begin(before: Before): Promise<void>;
  end(): Promise<void>;
}

/** One announcement on one speaker. */
export interface Announcement {
  sound: Sound;
  settings: Settings;
  journal: Journal;
  /** Called when the sound has started, for speakers that report it. */
  onStart?: (() => void) | undefined;
}

/**
 * Plays a sound on a speaker, and restores music, position and volume afterwards: also after a fault, and after the signal has
 * aborted. Ends at latest 5 s after the expected end.
 * @throws SpeakerFault; the reason of the signal
 */
export async function announce(
  kind: Kind,
  place: Place,
  { sound, settings, journal, onStart }: Announcement,
  signal: AbortSignal,
): Promise<Played> {
  const asked = performance.now();
  const device = await within(READY_MS, signal, (limit) => kind.connect(place, limit));
  try {
    const left = READY_MS - (performance.now() - asked);
    const state = await within(left, signal, (limit) => device.before(sound, settings, limit));
    const before = settings.music === 'replace' ? { ...state, replaces: true } : state;
    await journal.begin(before);
    const watch = new Watch(sound, performance.now(), kind);
    try {
      return await playWatched(device, watch, { sound, settings, onStart }, signal);
    } finally {
      const rest = Math.max(LEAST_MS, Math.min(READY_MS, watch.freeIn(performance.now())));
      // The reason of the end counts, not a speaker that cannot be restored any more.
      await within(rest, undefined, (limit) => device.restore(before, limit)).then(
        () => journal.end(),
        () => undefined,
      );
    }
  } finally {
    device.close();
  }
}

/** Restores the state that an earlier process noted. @throws SpeakerFault */
export async function restoreLater(
  kind: Kind,
  place: Place,
  before: Before,
  signal: AbortSignal,
): Promise<void> {
  const device = await within(READY_MS, signal, (limit) => kind.connect(place, limit));
  try {
    await within(READY_MS, signal, (limit) => device.restore(before, limit));
  } finally {
    device.close();
  }
}

async function playWatched(
  device: Device,
  watch: Watch,
  { sound, settings, onStart }: Omit<Announcement, 'journal'>,
  signal: AbortSignal,
): Promise<Played> {
  const end = new AbortController();
  const together = async () => {
    watch.wait();
    // A speaker that waits for the others must not start after its announcement was stopped.
    await unlessAborted(settings.together(), end.signal);
    watch.go(performance.now());
  };
  const stop = () => end.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const timer = watchOver(watch, (fault) => end.abort(fault));
  try {
    const steps = device.play(sound, { ...settings, together }, end.signal);
    const proof = await gradeOf(steps, watch, end.signal, onStart);
    const fault = watch.faultAtEnd(proof, performance.now());
    if (fault !== undefined) throw fault;
    const { started, warnings } = watch;
    return {
      ...(started !== undefined && { start: performance.timeOrigin + started }),
      end: Date.now(),
      proof,
      ...(warnings.size > 0 && { warnings: [...warnings] }),
    };
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Checks the watch every 100 ms. A check that comes late shows that this computer stood still. */
function watchOver(watch: Watch, failed: (fault: SpeakerFault) => void): NodeJS.Timeout {
  let looked = performance.now();
  return setInterval(() => {
    const now = performance.now();
    const late = now - looked - LOOK_MS;
    looked = now;
    if (late > STILL_MS) watch.excuse(late, now);
    const fault = watch.fault(now);
    if (fault !== undefined) failed(fault);
  }, LOOK_MS);
}

async function gradeOf(
  positions: ReturnType<Device['play']>,
  watch: Watch,
  signal: AbortSignal,
  onStart?: () => void,
): Promise<Grade> {
  for (;;) {
    const next = await unlessAborted(positions.next(), signal).catch((error: unknown) => {
      // A reply may have any shape.
      throw signal.aborted || error instanceof SpeakerFault ? error : unreachable(error);
    });
    if (next.done === true) return next.value;
    const isNew = watch.started === undefined;
    watch.note(next.value, performance.now());
    if (isNew && watch.started !== undefined) onStart?.();
  }
}

/** Runs work with a time limit. @throws SpeakerFault `speaker-unreachable` after the limit */
async function within<Result>(
  ms: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const timer = setTimeout(
    () =>
      limit.abort(
        new SpeakerFault('speaker-unreachable', { problem: `no reply in ${Math.ceil(ms / 1000)} s` }),
      ),
    ms,
  );
  const stop = () => limit.abort(parent?.reason);
  parent?.addEventListener('abort', stop, { once: true });
  if (parent?.aborted === true) stop();
  try {
    return await unlessAborted(work(limit.signal), limit.signal);
  } catch (error) {
    throw error instanceof SpeakerFault || parent?.aborted === true ? error : unreachable(error);
  } finally {
    clearTimeout(timer);
    parent?.removeEventListener('abort', stop);
  }
}

/** Returns the result of work, or rejects with the reason of the signal although the work goes on. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
