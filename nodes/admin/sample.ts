import { asSpeechError, type Client, operations, sniffAudio, SpeechError, z } from '@herald-speech/client';
import { endpoint } from './endpoint.js';
import { targetFields } from './target.js';

/** Bytes of a sample: half a minute of uncompressed speech. */
const MAX_BYTES = 4_000_000;
/** Milliseconds for a sample to be here. */
const TIMEOUT_MS = 20_000;

const word = z.string().max(200);

/**
 * The sound of a preset voice's sample. Its address is the one that the service's own entry of the voice names: the
 * browser can't ask for another, and on this machine it could not reach it.
 */
export const sample = endpoint({
  path: '/herald/sample',
  permission: 'herald.read',
  request: z.object({ ...targetFields, voice_id: word, language: word, style: word, model: word }),
  async run({ client, request: { voice_id, language, style, model }, signal }) {
    const { samples } = await client.call(operations.getVoice, { voice_id }, { signal });
    const wanted = samples?.find(
      (one) => one.language === language && one.style === style && one.model === model,
    );
    if (wanted === undefined) {
      throw new SpeechError('not-found', `there is no sample ${language} ${style} ${model} of this voice`);
    }
    const audio = await fetchAudio(client, wanted.url, signal);
    const mime = sniffAudio(audio) === 'mp3' ? 'audio/mpeg' : 'audio/wav';
    return { audio: audio.toString('base64'), mime };
  },
});

/** Over the account's own network. @throws SpeechError `bad-reply` for what is no audio, or too large */
async function fetchAudio(client: Client, address: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const audio = await client.download(address, { signal, timeout: TIMEOUT_MS, maxBytes: MAX_BYTES });
    if (sniffAudio(audio) === undefined) throw new SpeechError('bad-reply', 'it is no WAV or MP3');
    return audio;
  } catch (cause) {
    const { code, message } = asSpeechError(cause);
    throw new SpeechError(code, `the sample can't be played: ${message}`, { cause });
  }
}
