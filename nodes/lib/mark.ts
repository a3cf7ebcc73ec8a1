import type { RenderOptions } from '@herald-speech/audio';
import { type AccountPiece, readMark, withMark, z } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { markSigner } from '../account/mark-key.js';
import { flagProperty } from './property.js';

/** The request field: whether the audio has the mark of synthetic speech. */
export const markField = () => z.boolean().default(true);

/** The node property of the mark. */
export const markProperty = flagProperty('certificate', { section: 'output', more: true });

/** Returns the option of a rendering for the mark: the voice that speaks the first piece of a file. */
export const markOption = (isMarked: boolean): Pick<RenderOptions<AccountPiece>, 'mark'> =>
  isMarked ? { mark: markOf } : {};

/** Returns the options of a rendering for the mark, signed with the key of this Node-RED. */
export const signedMarkOption = async (RED: NodeAPI, isMarked: boolean) =>
  isMarked ? { mark: markOf, signer: await markSigner(RED) } : {};

/** Returns a complete file whose mark has the signature of this Node-RED. Without a mark, returns the same memory. */
export async function signedFile(RED: NodeAPI, file: Uint8Array): Promise<Uint8Array> {
  const mark = readMark(file);
  const signer = mark && (await markSigner(RED));
  return signer === undefined ? file : withMark(file, { ...mark, signer });
}

const markOf = ({ voice: { voice_id, language }, voiceFallback }: AccountPiece) => ({
  voice: voiceFallback ?? voice_id,
  language,
});
