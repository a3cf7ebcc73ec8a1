/** The speaker of a request: its values in the dialog, or a found one. */
import { z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type Speaker, type SpeakerNode, speakerNodes, speakerOf } from '../../speakers/speaker-node.js';
import { isVariable } from '../endpoint/target.js';
import type { SpeakerSearch } from './search.js';

/** Maximum length of one value from the editor, in UTF-16 code units. */
const MAX_VALUE = 2000;

const value = () => z.string().max(MAX_VALUE);

/** The schema of a speaker in a request. `id` is the id of its config node, if it has one. */
export const typedSpeaker = () =>
  z.object({
    id: value().optional(),
    name: value(),
    kind: value(),
    address: value(),
    identity: value().default(''),
    max_volume: value().default(''),
    wake_up: value().default(''),
    secret: value().optional(),
  });

export type TypedSpeaker = z.output<ReturnType<typeof typedSpeaker>>;

/** Whether a request names an address that no deployed speaker has and no search has found. It needs the permission `flows.write`. */
export const isNewSpeaker = (RED: NodeAPI, search: SpeakerSearch, typed: TypedSpeaker): boolean =>
  deployed(RED, typed) === undefined && !search.has(typed.kind, typed.address);

/**
 * Returns the speaker with the typed values. A stored secret goes only to the address that was deployed with it. A number that an
 * environment variable sets is the deployed one, or else the default.
 * @throws SpeechError `not-configured`
 */
export function speakerFor(RED: NodeAPI, typed: TypedSpeaker): Speaker {
  const { id = '', max_volume, wake_up } = typed;
  const secret = typed.secret ?? deployed(RED, typed)?.place.secret;
  const former = deployedWith(RED, id);
  const numbers = {
    max_volume: isVariable(max_volume) ? former?.maxVolume : max_volume,
    wake_up: isVariable(wake_up) ? former?.wakeUp : wake_up,
  };
  return speakerOf(id, { ...typed, ...numbers }, secret === undefined ? {} : { secret });
}

/** Returns the deployed speaker of the same kind and address; undefined without one. */
function deployed(RED: NodeAPI, { id, kind, address }: TypedSpeaker): Speaker | undefined {
  const speaker = deployedWith(RED, id);
  return speaker?.kind === kind && speaker.place.address === address ? speaker : undefined;
}

/** Returns the deployed speaker with an id; undefined without one, and for invalid settings. */
function deployedWith(RED: NodeAPI, id: string | undefined): Speaker | undefined {
  const node = speakerNodes(RED).find((one) => one.id === id);
  return node && validSpeaker(node);
}

/** Returns the speaker of a config node; undefined for invalid settings. */
function validSpeaker(node: SpeakerNode): Speaker | undefined {
  try {
    return node.speaker();
  } catch {
    return undefined;
  }
}
