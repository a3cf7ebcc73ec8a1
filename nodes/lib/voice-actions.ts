import { checkRequest, type CustomVoice, type Operation, type z } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import type { Task } from '../runtime/define-node.js';
import { list, type Listing } from './pages.js';

/** What an action is given: its operation takes the fields that it knows, and checks them. */
type ActionTask = Task<{ pages: 'one' | 'all'; [field: string]: unknown }>;

/** One of the things that a node can do with voices: the message that leaves. @throws SpeechError */
export type VoiceAction = (task: ActionTask) => Promise<NodeMessage>;

/** Gives the voices of a list or search; one that is the only one is ready for the next node. */
export const several =
  (operation: Listing<CustomVoice>): VoiceAction =>
  async (task) => {
    const { items, speech } = await list(operation, task);
    const [voice, ...others] = items;
    const only = voice && others.length === 0 ? { voice_id: voice.voice_id } : {};
    return { ...task.message, payload: items, speech, ...only };
  };

/** Gives one voice as it is now; of one that the operation took away only its identifier is left. */
export const single =
  (operation: Operation<z.ZodObject, z.ZodType<CustomVoice | undefined>>): VoiceAction =>
  async ({ client, request: fields, message, ...options }) => {
    const request = checkRequest(operation.request, fields);
    const voice = await client.call(operation, request, options);
    return { ...message, payload: voice ?? request, speech: { total: 1 }, ...(voice && idOf(voice)) };
  };

const idOf = ({ voice_id }: CustomVoice) => ({ voice_id });
