import { type Operation, pathFields } from '@herald-speech/client/interface';
import { z } from 'zod';
import { KEY_HEADER } from './gate.js';
import { errorSchemas, repliesOf } from './openapi-replies.js';
import { type Schema, toJson } from './openapi-schemas.js';
import type { OperationRoute } from './route.js';

/** The version of the interface (docs/interface.md#versions). */
const INTERFACE_VERSION = '0.9.6';

/** Stands for the address of the service in the text of the description. */
const ORIGIN = 'http://service.invalid';

/**
 * Returns a function that returns an OpenAPI 3.1 document of the routes as JSON. It takes the origin: scheme, host and port in
 * the address that the caller used. The first call creates the document, because callers without a key may request it often.
 */
export function describeRoutes(routes: readonly OperationRoute[]): (origin: string) => string {
  let text: string | undefined;
  return (origin) => {
    text ??= JSON.stringify(documentOf(routes));
    return text.replace(JSON.stringify(ORIGIN), () => JSON.stringify(origin));
  };
}

function documentOf(routes: readonly OperationRoute[]) {
  const paths: Record<string, Schema> = {};
  for (const { operation } of routes) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Text-to-speech service',
      version: INTERFACE_VERSION,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: ORIGIN }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: KEY_HEADER } },
      schemas: errorSchemas,
    },
  };
}

function describe(operation: Operation): Schema {
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
    summary: operation.summary,
    parameters,
    ...(hasBody && { requestBody: bodyOf(operation, rest, required) }),
    responses: repliesOf(operation),
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

function bodyOf({ body }: Operation, fields: [string, unknown][], required: readonly string[]): Schema {
  const names = fields.map(([name]) => name).filter((name) => required.includes(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(names.length > 0 && { required: names }),
  };
  const type = body === 'multipart' ? 'multipart/form-data' : 'application/json';
  return { required: true, content: { [type]: { schema } } };
}
