import { checkRequest, MAX_SAMPLE_BYTES, operations, z } from '@herald-speech/client';
import { endpoint } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';

/** Characters of base64 for the largest sample. */
const MAX_LENGTH = Math.ceil(MAX_SAMPLE_BYTES / 3) * 4;

/** Creates a custom voice from a sample that the user chose or recorded in the dialog. */
export const createCustomVoice = endpoint({
  path: '/herald/clone',
  permission: 'herald.write',
  request: () =>
    target().extend({
      audio: z.string().max(MAX_LENGTH),
      name: z.string().max(1000),
      description: z.string().max(10_000).optional(),
    }),
  async run({ client, request: { audio, name, description }, signal }) {
    const sample = { files: Buffer.from(audio, 'base64'), name, description };
    const request = checkRequest(operations.createClonedVoice.request, sample);
    const { voice_id } = await client.call(operations.createClonedVoice, request, { signal, checked: true });
    return { voice_id };
  },
});
