/** The test sound on a speaker: makes it, plays it, and shows its state and its proof. */
import { type Fields, fieldsOf, listOf, textOf } from '@herald-speech/browser';
import { playersIn } from '../form/players.js';
import { configNodesOf } from '../lib/config-nodes.js';
import { showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import { type FoundRow, speakerLabel } from './found.js';

/** A speaker with its values in this editor. Without a newly typed secret, the runtime uses the stored one. */
export type SpeakerTarget = Readonly<Record<string, string>>;

/** The topic of `nodes/admin/speakers/endpoints.ts`. */
const STARTED = 'herald/speakers/started';

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

/** The value of `nodes/admin/reach/players.ts` for an account with an audio port that is open until the next deploy. */
const ANY_ACCOUNT = '*';

const hasUrl = (account: EditorNode): boolean => Boolean(account['audioPort'] || account['audioBaseUrl']);
const hasHost = (account: EditorNode): boolean => Boolean(account['audioHost']);

/**
 * Returns the account for the audio of speakers outside of a dialog, where no account is selected: one with a port or base URL, else one
 * that names an interface, else the first one.
 */
export function servingAccount(): EditorNode | undefined {
  const accounts = configNodesOf('herald-account');
  return accounts.find(hasUrl) ?? accounts.find(hasHost) ?? accounts[0];
}

/**
 * Returns the settings of this account for players. Without a port or base URL, only the runtime knows the audio ports that other editors
 * have opened, and the interface of the account limits the offer of a port.
 */
export function playersOfAny(): Readonly<Record<string, string>> {
  const account = servingAccount();
  if (account !== undefined && hasUrl(account)) return playersIn(account);
  return { account: ANY_ACCOUNT, audioHost: textOf(account?.['audioHost']) };
}

interface Listener {
  /** Is called when a speaker has started to play. */
  onStart?(): void;
  /** Ends the sound. */
  signal?: AbortSignal | undefined;
}

/**
 * Posts a request that plays on speakers.
 * @param name last part of the endpoint's path
 * @throws RuntimeError
 */
export async function callSpeakers(
  name: string,
  body: object,
  { onStart, signal }: Listener,
): Promise<Fields> {
  const id = RED.nodes.id();
  const receive = (_topic: string, data: unknown) => {
    if (textOf(fieldsOf(data)['id']) === id) onStart?.();
  };
  RED.comms.subscribe(STARTED, receive);
  try {
    return await callRuntime(name, { ...body, id }, signal);
  } finally {
    RED.comms.unsubscribe(STARTED, receive);
  }
}

/**
 * Plays a test sound on a speaker.
 * @param typed the values that determine its URL; `name` names a test sound that exists
 * @returns the text of the proof
 * @throws RuntimeError
 */
export async function playTestSound(
  speaker: SpeakerTarget,
  typed: object,
  texts: Pick<EditorNode, '_'>,
  listener: Listener = {},
): Promise<string> {
  const { played } = await callSpeakers('speakers/play', { ...typed, speaker }, listener);
  return proofText(played, texts);
}

/**
 * Plays a test sound on a speaker, and shows its state in a note: it waits for the speaker, plays, and has its proof or its problem.
 * @param typed returns the values that determine its URL, or throws a RuntimeError
 * @param signal ends the sound. The note then stays as it is
 */
export async function testSpeaker(
  speaker: SpeakerTarget,
  typed: () => object,
  { note, texts, signal }: { note: HTMLElement; texts: Pick<EditorNode, '_'>; signal?: AbortSignal },
): Promise<void> {
  const { name } = speaker;
  const show = (text: string, isProblem = false) => {
    if (signal?.aborted !== true) showStatus(note, text, isProblem);
  };
  const onStart = () => show(texts._('speakers.testing', { name }));
  show(texts._('speakers.waiting', { name }));
  try {
    show(await playTestSound(speaker, typed(), texts, { onStart, signal }));
  } catch (error) {
    show(errorText(error, texts), true);
  }
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
