import type { NodeAPI } from 'node-red';
import { dataFolderIn } from '../account/connection.js';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { kindOfSpeaker, problemIn } from './announce-on.js';
import { withCurrentPlace } from './current-place.js';
import { type JournalEntry, journalIn } from './journal.js';
import { speakerKey, type Speaker, type SpeakerNode } from './speaker-node.js';
import { speakerQueue } from './speaker-queue.js';
import { speakersPackage } from './speakers-package.js';

/** Milliseconds after which a speaker gets back its volume, but music must not start by itself. */
const MUSIC_MS = 3_600_000;

/** Restores music and volume of a speaker if an earlier process ended during an announcement. Never rejects. */
export async function restoreSpeaker(
  RED: NodeAPI,
  node: Pick<SpeakerNode, 'id' | 'speakerName' | 'warn'>,
  speaker: () => Speaker,
  signal: AbortSignal,
): Promise<void> {
  const folder = dataFolderIn(RED);
  const entries = folder === undefined ? [] : await journalIn(folder).take(node.id);
  for (const entry of entries) {
    try {
      await restore(RED, { ...speaker(), kind: entry.kind }, entry, signal);
      await entry.forget();
    } catch (error) {
      const problem = problemIn(RED, error, node.speakerName);
      if (!signal.aborted)
        node.warn(localize(RED, say('speaker-not-restored', { name: node.speakerName, problem })));
      // Its other notes would fail with the same reason.
      return;
    }
  }
}

async function restore(
  RED: NodeAPI,
  { place, ...speaker }: Speaker,
  { address, before, time }: JournalEntry,
  signal: AbortSignal,
): Promise<void> {
  // The note belongs to the former address of the node.
  const former = { ...speaker, place: { ...place, address } };
  const wish = { speakers: [speakerKey(former)], priority: Infinity, node: speaker.id, interrupts: false };
  const booking = speakerQueue.book(wish);
  try {
    await booking.turn(signal);
    const { restoreLater } = speakersPackage(RED);
    await withCurrentPlace(RED, former, signal, (current) =>
      restoreLater(
        kindOfSpeaker(RED, former),
        current,
        Date.now() - time > MUSIC_MS ? { ...before, replaces: true } : before,
        signal,
      ),
    );
  } finally {
    booking.leave();
  }
}
