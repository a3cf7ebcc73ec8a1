/** Requests of a row. */
import {
  cardIn,
  jobIn,
  type ModelCard,
  naturalList,
  type NaturalVoice,
  type Voice,
  voicesIn,
} from '@herald-speech/browser';
import { callRuntime, RuntimeError, type Target } from '../lib/runtime.js';

/** Returns the requests of a row for its voice. Each rejects with a RuntimeError if the service refuses. */
export function requestsOf(target: Target, name: string) {
  const call = (action: string, fields: { card?: string } = {}) =>
    callRuntime(`natural-voices/${action}`, { ...target, name, ...fields });
  const jobOf = async (action: string, fields?: { card: string }) =>
    jobIn((await call(action, fields))['job']);
  return {
    sample: () => call('sample'),
    /** @param card SHA-256 digest of the accepted model card */
    install: (card: string) => jobOf('install', { card }),
    measure: () => jobOf('measure'),
    job: () => jobOf('job'),
    cancel: () => call('cancel'),
    remove: () => call('remove'),
    /** Returns the present state of the voice. Undefined for a voice that the list lacks. */
    async voice(): Promise<NaturalVoice | undefined> {
      const { voices } = naturalList(await callRuntime('natural-voices', target));
      return voices.find((voice) => voice.name === name);
    },
  };
}

/** Milliseconds until the service has noticed a new voice in its folder, and the number of times to look again. */
const NOTICE_MS = 700;
const LOOKS = 5;

/** Returns a voice as the service speaks it. Undefined if the service has not noticed it in its folder. */
export async function installedVoice(
  { installed }: NaturalVoice,
  target: Target,
): Promise<Voice | undefined> {
  const [voice_id] = installed?.voiceIds ?? [];
  if (voice_id === undefined) return undefined;
  for (let looks = 1; ; looks += 1) {
    const [found] = voicesIn(await callRuntime('voices', { ...target, voice_id })).voices;
    if (found !== undefined || looks === LOOKS) return found;
    await new Promise((resolve) => setTimeout(resolve, NOTICE_MS));
  }
}

/** The status of the service for a file that the voice repository does not deliver. */
const NO_REPOSITORY = 503;

/** Reads the model card. If the voice repository does not answer, a folder is another way. */
export async function readCard(
  { name }: NaturalVoice,
  { target, offerImport }: { target: Target; offerImport(): void },
): Promise<ModelCard> {
  try {
    return cardIn(await callRuntime('natural-voices/card', { ...target, name }));
  } catch (error) {
    if (error instanceof RuntimeError && error.status === NO_REPOSITORY) offerImport();
    throw error;
  }
}
