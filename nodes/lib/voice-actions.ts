import { checkRequest, type CustomVoice, type Operation, type z } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import type { Task } from './define-node.js';
import { list, type Listing } from './pages.js';

/** The task of an action. The operation validates the fields that it has and ignores the others. */
type ActionTask = Task<{ pages: 'one' | 'all'; [field: string]: unknown }>;

/** An action on custom voices. Returns the message for the first output. @throws SpeechError */
export type VoiceAction = (task: ActionTask) => Promise<NodeMessage>;

/** Lists or searches voices. If the result is a single voice, also sets `msg.voice_id` for the next node. */
export const listVoices =
  (operation: Listing<CustomVoice>): VoiceAction =>
  async (task) => {
    const { items, speech } = await list(operation, task);
    const [voice, ...others] = items;
    const only = voice && others.length === 0 ? { voice_id: voice.voice_id } : {};
    return { ...task.message, payload: items, speech, ...only };
  };

/** Reads, edits or deletes one voice. Returns the current voice, or only its identifier if it was deleted. */
export const oneVoice =
  (operation: Operation<z.ZodObject, z.ZodType<CustomVoice | undefined>>): VoiceAction =>
  async ({ client, request: fields, message, ...options }) => {
    const request = checkRequest(operation.request, fields);
    const voice = await client.call(operation, request, { ...options, checked: true });
    return { ...message, payload: voice ?? request, speech: { total: 1 }, ...(voice && idOf(voice)) };
  };

const idOf = ({ voice_id }: CustomVoice) => ({ voice_id });
