import { SpeechError, type Text } from '@herald-speech/client';
import type { SpeakerFault } from '@herald-speech/speakers';
import type { NodeAPI } from 'node-red';
import type { PlayerAccess } from '../output/urls/base-url.js';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import type { SpeakerOutcome } from './announce-on.js';
import type { Speaker } from './speaker-node.js';
import { speakersPackage } from './speakers-package.js';

/** Returns the value of `msg.speech.played`: the speakers that played the sound to its end. */
export const playedIn = (RED: NodeAPI, outcomes: readonly SpeakerOutcome[]): readonly object[] =>
  outcomes.flatMap((outcome) => {
    if (!('played' in outcome)) return [];
    const { name } = outcome.speaker;
    const { start, end, proof, warnings } = outcome.played;
    const { warningText } = speakersPackage(RED);
    return [
      {
        speaker: name,
        ...(start !== undefined && { start: new Date(start).toISOString() }),
        end: new Date(end).toISOString(),
        proof,
        ...(warnings && { warnings: warnings.map((warning) => localize(RED, warningText(warning, name))) }),
      },
    ];
  });

/** Returns the error of the speakers that did not play the sound to its end; undefined if all did. */
export function errorIn(
  RED: NodeAPI,
  outcomes: readonly SpeakerOutcome[],
  players: PlayerAccess | undefined,
): SpeechError | undefined {
  const errors = outcomes.flatMap((outcome) =>
    'reason' in outcome ? [errorOf(RED, outcome.speaker, outcome.reason, players)] : [],
  );
  const [first] = errors;
  const texts = errors.flatMap(({ text }) => text ?? []);
  if (first === undefined || texts.length < 2) return first;
  const message = texts.reduce((all, second) => say('speaker-failures', { first: all, second }));
  return first.with({ message });
}

function errorOf(
  RED: NodeAPI,
  { name }: Pick<Speaker, 'name'>,
  reason: unknown,
  players: PlayerAccess | undefined,
): SpeechError {
  const { SpeakerFault } = speakersPackage(RED);
  if (reason instanceof SpeechError) return reason;
  if (!(reason instanceof SpeakerFault)) {
    const problem = reason instanceof Error ? reason.message : String(reason);
    return errorOf(RED, { name }, new SpeakerFault('speaker-refused', { problem }), players);
  }
  return new SpeechError(codeOf(reason), textOf(reason, name, players), { cause: reason });
}

/** A speaker that cannot fetch the audio may need the audio port, which an account opens. */
function textOf(fault: SpeakerFault, name: string, players: PlayerAccess | undefined): Text {
  const problem = fault.textFor(name);
  const hasAddress = players?.port !== undefined || (players?.baseUrl ?? '') !== '';
  return fault.reason === 'speaker-not-fetched' && !hasAddress ? say('speaker-port', { problem }) : problem;
}

/** All codes leave on _retryable_. */
const codeOf = ({
  reason,
  isUnreachable,
}: SpeakerFault): 'no-connection' | 'timed-out' | 'service-failed' => {
  if (isUnreachable) return 'no-connection';
  return reason === 'speaker-late' || reason === 'speaker-lost' ? 'timed-out' : 'service-failed';
};
