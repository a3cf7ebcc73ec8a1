import { joinParsed, parseAudio, type ParsedAudio } from '../../audio/join.js';
import type { SpeechError } from '../../base/errors.js';
import { messageOf, text } from '../../base/messages.js';
import { fieldOf } from '../../base/values.js';
import type { HttpReply } from '../../http/exchange.js';
import { readReply, type Received, typeOf, wrongType } from '../../http/reply.js';
import type { HttpRequest } from '../../http/request.js';
import type { TransportOptions } from '../../http/transport-options.js';
import type { CheckedRequest, Operation } from '../../interface/operation.js';
import type { OpenAiSettings } from './options.js';
import { readError } from './refusal.js';

/** The format of a request without one. A service has another default. */
const DEFAULT_FORMAT = 'wav';

const HEADERS = { 'content-type': 'application/json' };

/** Builds the HTTP request of speech. It has only the fields that the caller or the account sets: a service may refuse others. */
export function openAiRequest(settings: OpenAiSettings, request: CheckedRequest): HttpRequest {
  const speed = fieldOf(request['voice_settings'], 'speed');
  const body = {
    model: requestedModel(settings, request),
    input: request['text'],
    voice: request['voice_id'],
    response_format: request['output_format'] ?? DEFAULT_FORMAT,
    instructions: request['style'] ?? settings.instructions,
    speed: speed === 1 ? undefined : speed,
  };
  return { method: 'POST', path: '/v1/audio/speech', headers: HEADERS, body: JSON.stringify(body) };
}

/** Returns the model of a request. */
export const requestedModel = ({ model }: OpenAiSettings, request: CheckedRequest): unknown =>
  request['model'] ?? model;

/**
 * Reads a successful reply. The file has the format that its content has: some services make only one format.
 * @throws SpeechError `bad-reply` for another content, `no-reply` for an incomplete file
 */
export function readSpeech<O extends Operation>(
  operation: O,
  reply: HttpReply,
  settings: TransportOptions,
): Received<O> {
  if (typeOf(reply).endsWith('json')) throw errorInReply(reply);
  const received = readReply(operation, reply, settings, false);
  const { audio, value } = received;
  if (audio?.format !== 'wav' || !audio.wav.streaming) return received;
  const complete = withLength(audio);
  return { ...received, audio: complete, value: Object.assign({}, value, { audio: complete.bytes }) };
}

/** Returns a streamed WAV with its length in the header, which some players need. */
const withLength = (audio: ParsedAudio): ParsedAudio => parseAudio(joinParsed([audio]).audio);

/** The error of a service that replies 200 with a description of an error. */
function errorInReply(reply: HttpReply): SpeechError {
  const { message } = readError(reply.body);
  const error = wrongType(reply, text('audio'));
  if (message === '') return error;
  const failure = messageOf(error);
  return error.with({ message: text('two-failures', { first: failure, second: message }), service: message });
}
