import { MAX_SAMPLE_BYTES, type Operation, pathFields } from '@herald-speech/client';
import { z } from 'zod';
import { KEY_HEADER } from './gate.js';
import type { Route } from './route.js';
import { type ErrorStatus, plainStatuses, statusNames } from './service-error.js';

/** The version of the interface that is answered (service-api.md, 9). */
const INTERFACE_VERSION = '0.9.6';

type Schema = Record<string, unknown>;

/** Fits any operation. */
type AnyOperation = Operation;

const LENGTH_HEADER = {
  'X-Audio-Length': {
    description: 'Seconds of audio, which is what is charged.',
    schema: { type: 'number' },
  },
};

const binary = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };

/** What may go wrong with each kind of request, beside what may with all of them (service-api.md, 7). */
const failuresOf: readonly (readonly [(operation: AnyOperation) => boolean, readonly ErrorStatus[]])[] = [
  [() => true, [400, 401, 429, 500, 503]],
  [({ path }) => path.includes('{voice_id}'), [404]],
  [({ path, paid }) => paid || path.includes('predict') || isOnOwnVoice(path), [403]],
  [({ method }) => method === 'POST' || method === 'PATCH', [408, 413]],
  [({ paid }) => paid, [402]],
  [({ bucket }) => bucket === 'clone', [403, 415]],
];

function isOnOwnVoice(path: string): boolean {
  return path === '/v1/custom-voices/{voice_id}';
}

/**
 * The description of the interface, made from the operations and the schemas that answer it.
 * @param origin Scheme, host and port that the caller reached the service by.
 * @returns an OpenAPI 3.1 document
 */
export function describeRoutes(routes: readonly Route[], origin: string) {
  const paths: Record<string, Schema> = {};
  for (const { operation } of routes) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Text-to-speech service', version: INTERFACE_VERSION },
    servers: [{ url: origin }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: KEY_HEADER } },
      schemas: { Error: errorSchema({ type: 'string' }), NamedError: errorSchema(namedMessage) },
    },
  };
}

const namedMessage = {
  type: 'object',
  required: ['message', 'error'],
  properties: { message: { type: 'string' }, error: { enum: Object.values(statusNames) } },
};

function errorSchema(message: Schema): Schema {
  return {
    type: 'object',
    required: ['status', 'message'],
    properties: { status: { const: 'error' }, message },
  };
}

function describe(operation: AnyOperation): Schema {
  const inPath = pathFields(operation.path);
  const { properties, required } = fieldsOf(operation.request);
  const rest = Object.entries(properties).filter(([field]) => !inPath.includes(field));
  const hasBody = operation.method === 'POST' || operation.method === 'PATCH';
  const inQuery = hasBody ? [] : rest;
  const parameters = [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: properties[name] })),
    ...inQuery.map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema })),
  ];
  return {
    operationId: operation.name,
    parameters,
    ...(hasBody && { requestBody: bodyOf(operation, rest, required) }),
    responses: { ...successOf(operation), ...failuresFor(operation) },
  };
}

function fieldsOf(request: z.ZodObject) {
  const schema = toJson(request, 'input');
  const shape = z.object({
    properties: z.record(z.string(), z.unknown()).default({}),
    required: z.array(z.string()).default([]),
  });
  return shape.parse(schema);
}

function bodyOf({ body }: AnyOperation, fields: [string, unknown][], required: readonly string[]): Schema {
  const names = fields.map(([name]) => name).filter((name) => required.includes(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(names.length > 0 && { required: names }),
  };
  const type = body === 'multipart' ? 'multipart/form-data' : 'application/json';
  return { required: true, content: { [type]: { schema } } };
}

function successOf(operation: AnyOperation): Schema {
  const { reply, response } = operation;
  if (reply === 'empty') return { 204: { description: 'Done.' } };
  if (reply === 'audio') return { 200: spokenReply(operation) };
  return { 200: { description: 'Success.', content: jsonOf(toJson(response, 'output')) } };
}

/** A stream tells its length in a trailer, which OpenAPI has no word for. */
function spokenReply({ path, response }: AnyOperation): Schema {
  const phonemes = response instanceof z.ZodObject ? response.shape['phonemes'] : undefined;
  const marks = phonemes instanceof z.ZodType ? toJson(phonemes, 'output') : {};
  const schema = {
    type: 'object',
    properties: { audio_base64: { type: ['string', 'null'] }, phonemes: marks },
  };
  const audio = { 'audio/wav': binary, 'audio/mpeg': binary };
  if (!path.endsWith('/stream')) {
    const content = { ...audio, ...jsonOf(schema) };
    return { description: 'Audio, or JSON with phonemes.', headers: LENGTH_HEADER, content };
  }
  const words = 'Audio while it is made, or lines of JSON with phonemes; X-Audio-Length is a trailer.';
  return { description: words, content: { ...audio, 'application/x-ndjson': { schema } } };
}

function failuresFor(operation: AnyOperation): Schema {
  const statuses = failuresOf.flatMap(([applies, statuses]) => (applies(operation) ? statuses : []));
  return Object.fromEntries([...new Set(statuses)].map((status) => [status, failure(status)]));
}

function failure(status: ErrorStatus): Schema {
  const name = plainStatuses.includes(status) ? 'Error' : 'NamedError';
  const wait = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } };
  return {
    description: statusNames[status],
    ...((status === 429 || status === 503) && { headers: wait }),
    content: jsonOf({ $ref: `#/components/schemas/${name}` }),
  };
}

function jsonOf(schema: Schema): Schema {
  return { 'application/json': { schema } };
}

/** What is no JSON is a file, whose bound is told. */
function toJson(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _version, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type !== 'custom') return;
      Object.assign(jsonSchema, { ...binary.schema, maxLength: MAX_SAMPLE_BYTES });
    },
  });
  return json;
}
