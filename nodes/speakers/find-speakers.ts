import { limitedTo } from '@herald-speech/client';
import type { FoundSpeaker, KindName } from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import { speakersPackage } from './speakers-package.js';

/** A found speaker with its kind. */
export interface FoundOfKind extends FoundSpeaker {
  kind: KindName;
}

/** Milliseconds after which a search ends. */
const SEARCH_MS = 10_000;

/**
 * Searches for speakers of all kinds, or of one. Yields each until the signal aborts, at most for ten seconds. A kind whose search
 * fails has no speakers.
 * @throws SpeechError `not-configured` without the package of the speakers
 */
export async function* findSpeakers(
  RED: NodeAPI,
  signal: AbortSignal,
  only?: KindName,
): AsyncGenerator<FoundOfKind, void, undefined> {
  const { kindNames, kindOf } = speakersPackage(RED);
  const end = new AbortController();
  const limit = limitedTo(SEARCH_MS, signal, end.signal);
  const found: FoundOfKind[] = [];
  let wake = () => {};
  const searches = (only === undefined ? kindNames : [only]).map(async (kind) => {
    for await (const speaker of kindOf(kind).find(limit)) {
      found.push({ ...speaker, kind });
      wake();
    }
  });
  let isOver = false;
  void Promise.allSettled(searches).then(() => {
    isOver = true;
    wake();
  });
  limit.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!limit.aborted) {
      const next = found.shift();
      if (next !== undefined) yield next;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    end.abort();
  }
}
