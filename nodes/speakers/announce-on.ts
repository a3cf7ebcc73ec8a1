import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechError } from '@herald-speech/client';
import type { Barrier, Before, Kind, KindName, Played, Settings, Sound } from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import { dataFolderIn } from '../account/connection.js';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { withCurrentPlace } from './current-place.js';
import { journalIn } from './journal.js';
import { speakerKey, type Speaker } from './speaker-node.js';
import type { Booking } from './speaker-queue.js';
import { speakersPackage } from './speakers-package.js';
import { noteLast } from './states.js';

/** A sound for speakers whose turn has come. */
export interface Announcing {
  RED: NodeAPI;
  sound: Sound;
  booking: Booking;
  /** Percent. */
  volume?: number | undefined;
  music?: Settings['music'];
  /** Called when a speaker has started to play. */
  onStart?(speaker: Speaker): void;
}

/** The end of an announcement on one speaker. */
export type SpeakerOutcome = { speaker: Speaker } & ({ played: Played } | { reason: unknown });

/** A speaker with its kind. */
export interface TargetSpeaker {
  speaker: Speaker;
  kind: Kind;
}

/** Plays a sound on several speakers, which start together. Each speaker is free as soon as it has ended. Never rejects. */
export async function announceOn(
  targets: readonly TargetSpeaker[],
  announcing: Announcing,
  signal: AbortSignal,
): Promise<SpeakerOutcome[]> {
  const { Barrier } = speakersPackage(announcing.RED);
  const barrier = new Barrier(targets.length);
  const slowest = Math.max(...targets.map(({ kind: { delay = 0 } }) => delay));
  return Promise.all(
    targets.map(async ({ speaker, kind }): Promise<SpeakerOutcome> => {
      try {
        const played = await announceOnOne(speaker, { kind, slowest, barrier }, announcing, signal);
        noteLast(speaker, { end: played.end, proof: played.proof });
        return { speaker, played };
      } catch (reason) {
        const problem = problemIn(announcing.RED, reason, speaker.name);
        const isStopped = signal.aborted || announcing.booking.taken(speakerKey(speaker)).aborted;
        noteLast(speaker, { end: Date.now(), problem, isStopped });
        return { speaker, reason };
      } finally {
        announcing.booking.leave(speakerKey(speaker));
      }
    }),
  );
}

/** Returns the kind of a speaker. @throws SpeechError `not-configured` for an unknown one */
export function kindOfSpeaker(RED: NodeAPI, { kind, name }: Pick<Speaker, 'kind' | 'name'>): Kind {
  const { kindNames, kindOf } = speakersPackage(RED);
  const known: KindName | undefined = kindNames.find((each) => each === kind);
  if (known !== undefined) return kindOf(known);
  throw new SpeechError(
    'not-configured',
    say('speaker-kind-unknown', { name, value: kind, kinds: kindNames.join(', ') }),
  );
}

interface Start {
  kind: Kind;
  /** Milliseconds from the command to the sound, of the slowest kind of the announcement. */
  slowest: number;
  barrier: Barrier;
}

async function announceOnOne(
  speaker: Speaker,
  { kind, slowest, barrier }: Start,
  { RED, sound, booking, volume, music, onStart }: Announcing,
  signal: AbortSignal,
): Promise<Played> {
  const { announce } = speakersPackage(RED);
  const stop = AbortSignal.any([signal, booking.taken(speakerKey(speaker))]);
  let isReady = false;
  const together = async () => {
    isReady = true;
    await barrier.ready();
    const wait = slowest - (kind.delay ?? 0);
    if (wait > 0) await sleep(wait, undefined, { signal: stop });
  };
  const settings = { volume, maxVolume: speaker.maxVolume, music, together };
  try {
    stop.throwIfAborted();
    return await withCurrentPlace(RED, speaker, stop, async (place) => {
      const journal = journalOf(RED, { ...speaker, place });
      await restoreLeft(RED, { ...speaker, place }, kind, stop);
      return announce(kind, place, { sound, settings, journal, onStart: () => onStart?.(speaker) }, stop);
    });
  } finally {
    if (!isReady) barrier.leave();
  }
}

/**
 * Gives back the volume of a speaker that was lost in its last announcement, and is there again. Its music belongs to the past.
 * @throws SpeakerFault for a speaker that still does not answer; the reason of the signal
 */
async function restoreLeft(
  RED: NodeAPI,
  { id, kind: name, place }: Speaker,
  kind: Kind,
  signal: AbortSignal,
): Promise<void> {
  const folder = dataFolderIn(RED);
  const left = folder === undefined ? undefined : journalIn(folder).leftFor(id);
  if (left?.kind !== name) return;
  const { restoreLater, SpeakerFault } = speakersPackage(RED);
  try {
    await restoreLater(kind, place, { ...left.before, replaces: true }, signal);
  } catch (error) {
    // A speaker that refuses its former state can still speak.
    if (!(error instanceof SpeakerFault) || error.isUnreachable) throw error;
  }
}

/** Returns the notes of an announcement on disk. A Node-RED without a data folder has none, and one that cannot write says so. */
function journalOf(RED: NodeAPI, { id, kind, place: { address } }: Speaker) {
  const folder = dataFolderIn(RED);
  let forget = async () => {};
  return {
    async begin(before: Before): Promise<void> {
      try {
        const entry = { speaker: id, kind, address, before, time: Date.now() };
        if (folder !== undefined) forget = await journalIn(folder).begin(entry);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        RED.log.warn(`[herald] ${localize(RED, say('speaker-journal', { problem }))}`);
      }
    },
    end: () => forget(),
  };
}

/** Returns the cause of a failure of a speaker in the language of Node-RED. */
export function problemIn(RED: NodeAPI, reason: unknown, name: string): string {
  const { SpeakerFault } = speakersPackage(RED);
  if (reason instanceof SpeakerFault) return localize(RED, reason.textFor(name));
  if (reason instanceof SpeechError && reason.text !== undefined) return localize(RED, reason.text);
  return reason instanceof Error ? reason.message : String(reason);
}
