import { asSpeechError, type Client, operations, sniffAudio, SpeechError, z } from '@herald-speech/client';
import { endpoint } from '../endpoint/endpoint.js';
import { target } from '../endpoint/target.js';
import { say } from '../../runtime/messages.js';

/** Maximum size of a sample in bytes: about half a minute of uncompressed speech. */
const MAX_BYTES = 4_000_000;
/** Maximum download time in milliseconds. */
const TIMEOUT_MS = 20_000;

/**
 * Downloads a sample of a preset voice. The address comes from the service's description of the voice, so the browser cannot
 * make Node-RED request other addresses. The browser itself may have no route to the service.
 */
export const sample = endpoint({
  path: '/herald/sample',
  permission: 'herald.read',
  request: () => {
    const word = z.string().max(200);
    return target().extend({ voice_id: word, language: word, style: word, model: word });
  },
  async run({ client, request: { voice_id, language, style, model }, signal }) {
    const { samples } = await client.call(operations.getVoice, { voice_id }, { signal });
    const wanted = samples?.find(
      (one) => one.language === language && one.style === style && one.model === model,
    );
    if (wanted === undefined) {
      throw new SpeechError('not-found', say('no-sample', { language, style, model }));
    }
    const audio = await fetchAudio(client, wanted.url, signal);
    const mime = sniffAudio(audio) === 'mp3' ? 'audio/mpeg' : 'audio/wav';
    return { audio: audio.toString('base64'), mime };
  },
});

/** Downloads audio with the account's network options. @throws SpeechError `bad-reply` if it is not audio or too large */
async function fetchAudio(client: Client, address: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const audio = await client.download(address, { signal, timeout: TIMEOUT_MS, maxBytes: MAX_BYTES });
    if (sniffAudio(audio) === undefined) throw new SpeechError('bad-reply', say('sample-format'));
    return audio;
  } catch (cause) {
    const { code, text, message } = asSpeechError(cause);
    throw new SpeechError(code, say('sample-failed', { failure: text ?? message }), { cause });
  }
}
