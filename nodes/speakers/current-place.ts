import type { Place } from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import { findSpeakers } from './find-speakers.js';
import { speakerKey, type Speaker } from './speaker-node.js';
import { speakersPackage } from './speakers-package.js';

/** The addresses of speakers that have moved, by the key of the queue. */
const moved = new Map<string, string>();

/**
 * Runs work at the place of a speaker. If the speaker does not answer there, looks for its identity in the network, at most ten seconds,
 * and runs the work at its new address.
 * @throws SpeakerFault `speaker-unreachable` if the speaker is not found; the error of the work
 */
export async function withCurrentPlace<Result>(
  RED: NodeAPI,
  speaker: Speaker,
  signal: AbortSignal,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const key = speakerKey(speaker);
  const known = moved.get(key) ?? speaker.place.address;
  try {
    return await work({ ...speaker.place, address: known });
  } catch (error) {
    const { SpeakerFault } = speakersPackage(RED);
    const isGone = error instanceof SpeakerFault && error.isUnreachable;
    if (!isGone || speaker.identity === '' || signal.aborted) throw error;
    const address = await addressOf(RED, speaker, signal);
    if (address === undefined || address === known) throw error;
    moved.set(key, address);
    return work({ ...speaker.place, address });
  }
}

/** Searches the network for the identity of a speaker. Returns undefined if it does not answer. */
async function addressOf(RED: NodeAPI, { kind, identity }: Speaker, signal: AbortSignal) {
  const { kindNames } = speakersPackage(RED);
  const name = kindNames.find((each) => each === kind);
  for await (const { id, address } of findSpeakers(RED, signal, name)) if (id === identity) return address;
  return undefined;
}
