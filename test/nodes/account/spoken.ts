import {
  type AccountPiece,
  type AccountRequest,
  type AccountStreamOptions,
  speakWith as speak,
} from '@herald-speech/client';
import { accountOf } from '../../../nodes/account/account-node.js';

import type { Flow } from '../../support/node-red/flow.js';
import type { Script, Seen } from '../../support/net/scripted-server.js';

/** Four sentences, each of them too long to share a chunk with the next one. */
export const LONG_TEXT = ['One', 'Two', 'Three', 'Four']
  .map((word) => `${`${word} and more of it, `.repeat(9)}${word} ends here.`)
  .join(' ');

/** Speaks with the account `id` of a flow and returns all pieces. */
export async function speakWith(
  { RED }: Flow,
  request: Partial<AccountRequest> = {},
  options: AccountStreamOptions = {},
  id = 'account',
): Promise<AccountPiece[]> {
  const pieces: AccountPiece[] = [];
  const { speaker } = accountOf(RED, id);
  const spoken = speak(speaker, { text: 'Hello.', ...request }, options);
  for await (const piece of spoken) pieces.push(piece);
  return pieces;
}

export const isSpeech = ({ path }: Seen): boolean => path.startsWith('/v1/text-to-speech/');

/** Replies to requests for a voice with its gender, to searches with these voices, and to other requests by `others`. */
export const describing =
  (voices: readonly { voice_id: string; gender: string; language: string[] }[], others: Script): Script =>
  (request, index) => {
    const whole = voices.map((voice) => ({ ...voice, ...REST, name: voice.voice_id }));
    if (request.path === '/v1/voices/search') {
      const [language, gender] = [request.query.get('language'), request.query.get('gender')];
      const items = whole.filter(
        (voice) => voice.language.includes(language ?? '') && (gender === null || voice.gender === gender),
      );
      return { body: { items } };
    }
    if (!/^\/v1\/(custom-)?voices\//.test(request.path)) return others(request, index);
    const found = whole.find(({ voice_id }) => request.path === `/v1/voices/${voice_id}`);
    return found ? { body: found } : { status: 404, body: { status: 'error', message: 'unknown' } };
  };

const REST = {
  age: 'young-adult',
  use_case: 'announcement',
  use_cases: ['announcement'],
  styles: ['neutral'],
  models: ['main_speech_1'],
};
