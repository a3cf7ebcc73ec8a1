import type { RenderOptions } from '@herald-speech/audio';
import { type AccountPiece, z } from '@herald-speech/client';
import { flagProperty } from './properties.js';

/** The request field: whether the audio has the mark of synthetic speech. */
export const markField = () => z.boolean().default(true);

/** The node property of the mark. */
export const markProperty = flagProperty('certificate', { section: 'output', more: true });

/** Returns the option of a rendering for the mark: the voice that speaks the first piece of a file. */
export const markOption = (isMarked: boolean): Pick<RenderOptions<AccountPiece>, 'mark'> =>
  isMarked ? { mark: markOf } : {};

const markOf = ({ voice: { voice_id, language }, voiceFallback }: AccountPiece) => ({
  voice: voiceFallback ?? voice_id,
  language,
});
