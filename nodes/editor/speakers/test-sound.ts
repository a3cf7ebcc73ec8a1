/** The test sound on a speaker: makes it, plays it, and shows its proof. */
import { fieldsOf, listOf, textOf } from '@herald-speech/browser';
import { playersIn } from '../form/players.js';
import { configNodesOf } from '../lib/config-nodes.js';
import { callRuntime } from '../lib/runtime.js';
import { type FoundRow, speakerLabel } from './found.js';

/** A speaker with its values in this editor. Without a newly typed secret, the runtime uses the stored one. */
export type SpeakerTarget = Readonly<Record<string, string>>;

const VALUES = ['kind', 'address', 'identity', 'max_volume', 'wake_up'] as const;

export function targetOfSpeaker(speaker: EditorNode): SpeakerTarget {
  const values = VALUES.map((name) => [name, textOf(speaker[name])]);
  const secret = textOf(fieldsOf(speaker['credentials'])['secret']);
  return {
    id: speaker.id,
    name: speakerLabel(speaker),
    ...Object.fromEntries(values),
    ...(secret && { secret }),
  };
}

export const targetOfFound = ({ kind, name, address, id: identity }: FoundRow): SpeakerTarget => ({
  kind,
  name,
  address,
  identity,
});

/** Returns the settings for players of the first account that has some. Outside of a dialog no account is selected. */
export const playersOfAny = (): Readonly<Record<string, string>> =>
  playersIn(
    configNodesOf('herald-account').find((account) => account['audioPort'] || account['audioBaseUrl']),
  );

/**
 * Plays a test sound on a speaker.
 * @param typed the values that determine its URL; `name` names a test sound that exists
 * @param signal ends the sound
 * @returns the text of the proof
 * @throws RuntimeError
 */
export async function playTestSound(
  speaker: SpeakerTarget,
  typed: object,
  texts: Pick<EditorNode, '_'>,
  signal?: AbortSignal,
): Promise<string> {
  const { played } = await callRuntime('speakers/play', { ...typed, speaker }, signal);
  return proofText(played, texts);
}

const PROOFS: Readonly<Record<string, string>> = {
  position: 'speakers.proofs.position',
  state: 'speakers.proofs.state',
  streamed: 'speakers.proofs.streamed',
  drained: 'speakers.proofs.drained',
  accepted: 'speakers.proofs.accepted',
};

/** Returns the grade of proof as a sentence, with the warnings of the runtime. */
export function proofText(played: unknown, texts: Pick<EditorNode, '_'>): string {
  const fields = fieldsOf(played);
  const proof = texts._(PROOFS[textOf(fields['proof'])] ?? '', { name: textOf(fields['speaker']) });
  return [proof, ...listOf(fields['warnings']).map(textOf)].join(' ');
}
