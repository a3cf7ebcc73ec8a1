import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AudioError, inspectAudio } from '@herald-speech/client/audio';
import { abridged, MAX_SAMPLE_BYTES } from '@herald-speech/client/interface';
import { ServiceError } from '../kit/errors.js';
import { readBody } from './read-body.js';

/** Bytes for the text fields and the boundaries of a form. */
const MAX_OTHER_BYTES = 65_536;

const limits = {
  files: 1,
  fileSize: MAX_SAMPLE_BYTES,
  fields: 10,
  fieldSize: MAX_OTHER_BYTES,
  parts: 12,
  headerSize: 8192,
};

const INCOMPLETE = 'the form is incomplete: send its end, with the closing boundary';

const tooLarge = () =>
  new ServiceError(413, `the file is larger than ${MAX_SAMPLE_BYTES} bytes (3 MB): send a shorter sample`);

/**
 * Milliseconds for the parser to finish with a complete body. It never finishes with some invalid forms. A valid form needs
 * no timer, so the limit does not depend on the load of the computer.
 */
const PARSE_TIME_LIMIT = 100;

/**
 * Reads a form. A file becomes a Buffer, every other field a string. Collects the body first, because the parser of forms
 * stops reading at some invalid parts.
 * @throws ServiceError 400 for an invalid form; 415 for a file that is not WAV or MP3; 413 for a file that is too large,
 *   as soon as its bytes or the Content-Length show it
 */
export async function readMultipart(incoming: IncomingMessage): Promise<Record<string, string | Buffer>> {
  const { 'content-type': type, 'content-length': length } = incoming.headers;
  if (type === undefined || !/^multipart\/form-data\s*;/i.test(type)) {
    throw new ServiceError(400, `content-type is ${type ?? 'missing'}: expected multipart/form-data`);
  }
  const limit = MAX_SAMPLE_BYTES + MAX_OTHER_BYTES;
  if (Number(length) > limit) throw tooLarge();
  const form = openForm({ ...incoming.headers, 'content-type': type });
  const fields = await parse(await readBody(incoming, limit, tooLarge()), form);
  for (const [name, value] of Object.entries(fields)) if (typeof value !== 'string') checkAudio(name, value);
  return fields;
}

/** Creates the parser. The constructor throws if the content type has no boundary. */
function openForm(headers: ConstructorParameters<typeof Busboy>[0]['headers']): BusboyInstance {
  try {
    return new Busboy({ headers, limits });
  } catch (error) {
    const message = `content-type is ${abridged(headers['content-type'])}: expected a boundary parameter`;
    throw new ServiceError(400, message, { cause: error });
  }
}

function parse(body: Buffer, form: BusboyInstance): Promise<Record<string, string | Buffer>> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string | Buffer>();
    const refuse = (message: string, cause?: unknown) => reject(new ServiceError(400, message, { cause }));
    const broken = (cause?: unknown) => refuse(INCOMPLETE, cause);
    const set = (name: unknown, value: string | Buffer) => {
      // The parser has no name for a part without the parameter "name".
      if (typeof name === 'string' && name !== '') fields.set(name, value);
      else refuse('a part of the form has no name: add the parameter "name" to its content-disposition');
    };
    form.on('field', set);
    form.on('file', (name, stream) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.once('end', () => set(name, Buffer.concat(pieces)));
      stream.once('limit', () => reject(tooLarge()));
      stream.once('error', broken);
    });
    form.once('filesLimit', () => refuse('the form has more than one file: send one sample as "files"'));
    form.once('fieldsLimit', () => refuse(`the form has more than ${limits.fields} text fields: send fewer`));
    form.once('partsLimit', () => refuse(`the form has more than ${limits.parts} parts: send fewer`));
    form.once('finish', () => resolve(Object.fromEntries(fields)));
    form.on('error', broken); // The parser can emit several errors.
    const timer = setTimeout(broken, PARSE_TIME_LIMIT);
    form.once('finish', () => clearTimeout(timer));
    form.end(body);
  });
}

/** Checks the content of a file, not its name (docs/interface.md#clone). The schema refuses damaged audio with a 400. */
function checkAudio(field: string, file: Buffer): void {
  try {
    inspectAudio(file);
  } catch (cause) {
    if (!(cause instanceof AudioError)) throw cause;
    if (cause.kind === 'incomplete') return;
    throw new ServiceError(415, `${field}: expected a WAV or MP3 file (${cause.message})`, { cause });
  }
}
