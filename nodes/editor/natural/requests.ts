/** Requests of the page of natural voices. */
import {
  cardIn,
  importJobIn,
  type ImportService,
  jobIn,
  type ModelCard,
  naturalList,
  type NativeService,
  nativeStateIn,
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

/** Returns the requests of the box of the native runtime. */
export const nativeServiceOf = (target: Target): NativeService => ({
  read: async () => nativeStateIn(await callRuntime('natural-voices/native', target)),
  change: (change) => callRuntime(`natural-voices/native-${change}`, target),
  cancel: () => callRuntime('natural-voices/native-cancel', target),
});

/** Returns the requests of the box of an import. */
export const importServiceOf = (target: Target): ImportService => ({
  start: async (folder) =>
    importJobIn((await callRuntime('natural-voices/import', { ...target, folder }))['job']),
  read: () =>
    callRuntime('natural-voices/import-job', target).then(
      ({ job }) => importJobIn(job),
      (error: unknown) => {
        if (error instanceof RuntimeError && error.code === 'not-found') return undefined;
        throw error;
      },
    ),
  cancel: () => callRuntime('natural-voices/import-cancel', target),
});

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
