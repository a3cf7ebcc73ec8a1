import type { Request, Response } from 'express';
import type { AudioRecording } from './recording.js';

/**
 * Flags of DLNA Guidelines 7.4.1.3.17: streaming and background transfer, connection stalling, version 1.5. The second value
 * adds that the content still grows at its end.
 */
const FLAGS = { complete: '01700000', growing: '05700000' } as const;
const RESERVED = '0'.repeat(24);

/** Sets the headers that DLNA players ask for. WAV has no profile, so only MP3 names its profile. */
export function setDlnaHeaders(request: Request, response: Response, { name, state }: AudioRecording): void {
  const mode = request.get('transferMode.dlna.org');
  if (mode !== undefined) {
    response.set('transferMode.dlna.org', /^background$/i.test(mode) ? 'Background' : 'Streaming');
  }
  if (request.get('getcontentFeatures.dlna.org') !== '1') return;
  const profile = name.endsWith('.mp3') ? ['DLNA.ORG_PN=MP3'] : [];
  const isComplete = state === 'complete';
  const flags = `${isComplete ? FLAGS.complete : FLAGS.growing}${RESERVED}`;
  const features = [...profile, `DLNA.ORG_OP=${isComplete ? '01' : '00'}`, 'DLNA.ORG_CI=0'];
  response.set('contentFeatures.dlna.org', [...features, `DLNA.ORG_FLAGS=${flags}`].join(';'));
}
