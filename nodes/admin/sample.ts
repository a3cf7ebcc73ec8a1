import { operations, sniffAudio, SpeechError, z } from '@herald-speech/client';
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
    const audio = await fetchAudio(wanted.url, signal);
    const mime = sniffAudio(audio) === 'mp3' ? 'audio/mpeg' : 'audio/wav';
    return { audio: audio.toString('base64'), mime };
  },
});

/** @throws SpeechError `bad-reply` for what is no audio, or too large */
async function fetchAudio(address: string, signal: AbortSignal): Promise<Buffer> {
  if (!/^https?:\/\//i.test(address)) throw notAudio('its address is not one of the web');
  const reply = await request(address, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
  const audio = await readBounded(reply);
  if (!reply.ok || sniffAudio(audio) === undefined) throw notAudio(`status ${reply.status}, no WAV or MP3`);
  return audio;
}

/** Without the key: a sample is public. Redirects would lead to where the service did not say. */
async function request(address: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { signal, redirect: 'error' });
  } catch (cause) {
    throw new SpeechError('no-connection', 'the sample can not be fetched', { cause });
  }
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of z.custom<AsyncIterable<Uint8Array>>().parse(body ?? [])) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) throw notAudio(`larger than ${MAX_BYTES} bytes`);
      pieces.push(piece);
    }
  } catch (cause) {
    if (cause instanceof SpeechError) throw cause;
    throw new SpeechError('no-reply', 'the sample broke off', { cause });
  }
  return Buffer.concat(pieces, bytes);
}

const notAudio = (why: string) => new SpeechError('bad-reply', `the sample can't be played: ${why}`);
