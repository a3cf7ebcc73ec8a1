import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AudioError, inspectAudio } from '@herald-speech/client/audio';
import { MAX_SAMPLE_BYTES } from '@herald-speech/client/interface';
import { ServiceError } from '../errors.js';

/** Room for the other fields, and for the lines between the parts. */
const MAX_OTHER_BYTES = 65_536;

const limits = {
  files: 1,
  fileSize: MAX_SAMPLE_BYTES,
  fields: 10,
  fieldSize: MAX_OTHER_BYTES,
  parts: 12,
  headerSize: 8192,
};

const tooLarge = () => new ServiceError(413, `the file is over ${MAX_SAMPLE_BYTES} bytes (3 MB)`);

/**
 * Reads a form as it comes in: a file becomes a Buffer, everything else a string.
 * @throws ServiceError 400; 415 for a file that is no audio; 413 as soon as the file is over its bound, without waiting for the rest
 */
export async function readMultipart(incoming: IncomingMessage): Promise<Record<string, string | Buffer>> {
  const { 'content-type': type, 'content-length': length } = incoming.headers;
  if (type === undefined || !/^multipart\/form-data\s*;/i.test(type)) {
    throw new ServiceError(400, `content-type is ${type ?? 'missing'}: expected multipart/form-data`);
  }
  if (Number(length) > MAX_SAMPLE_BYTES + MAX_OTHER_BYTES) throw tooLarge();
  const form = openForm({ ...incoming.headers, 'content-type': type });
  try {
    const fields = await collect(incoming, form);
    for (const [name, value] of Object.entries(fields))
      if (typeof value !== 'string') checkAudio(name, value);
    return fields;
  } finally {
    incoming.unpipe(form);
  }
}

/** A boundary that is missing shows at once. */
function openForm(headers: ConstructorParameters<typeof Busboy>[0]['headers']): BusboyInstance {
  try {
    return new Busboy({ headers, limits });
  } catch (error) {
    throw new ServiceError(400, 'content-type: the form has no boundary', { cause: error });
  }
}

function collect(incoming: IncomingMessage, form: BusboyInstance): Promise<Record<string, string | Buffer>> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string | Buffer>();
    const broken = (cause: unknown) => reject(new ServiceError(400, 'the form is not whole', { cause }));
    form.on('field', (name, value) => fields.set(name, value));
    form.on('file', (name, stream) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.once('end', () => fields.set(name, Buffer.concat(pieces)));
      stream.once('limit', () => reject(tooLarge()));
      stream.once('error', broken);
    });
    form.once('finish', () => resolve(Object.fromEntries(fields)));
    form.once('error', broken);
    incoming.once('error', broken);
    incoming.pipe(form);
  });
}

/** By the content, whatever its name says (docs/interface.md#clone). Damaged audio is left to the schema: that is a 400. */
function checkAudio(field: string, file: Buffer): void {
  try {
    inspectAudio(file);
  } catch (cause) {
    if (!(cause instanceof AudioError)) throw cause;
    if (cause.kind === 'incomplete') return;
    throw new ServiceError(415, `${field}: expected a WAV or MP3 file: ${cause.message}`, { cause });
  }
}
