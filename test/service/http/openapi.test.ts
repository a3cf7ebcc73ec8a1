import assert from 'node:assert/strict';
import { operations, pathFields, z } from '@herald-speech/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describeRoutes } from '../../../service/http/openapi.js';
import { answer } from '../../../service/http/route.js';
import { startTestService, type TestService } from '../../support/service/service.js';

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string().regex(/^[a-z]+\/[a-z-]+$/), z.object({ schema }));
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.object({ schema })).optional(),
  content: content.optional(),
});
const parameter = z.strictObject({
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  schema,
});
const described = z.strictObject({
  operationId: z.string(),
  summary: z.string().min(1),
  parameters: z.array(parameter),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(z.string().regex(/^[2-5]\d\d$/), response),
});
/** The part of OpenAPI 3.1 that this service uses. */
const openapi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.url() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(
    z.string().startsWith('/v1/'),
    z.partialRecord(z.enum(['get', 'post', 'patch', 'delete']), described),
  ),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), z.unknown()),
    schemas: z.record(z.string(), schema),
  }),
});

describe('GET /openapi.json', () => {
  let service: TestService;
  let text: string;
  let document: z.output<typeof openapi>;
  before(async () => {
    service = await startTestService();
    const reply = await fetch(`${service.url}/openapi.json`);
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/);
    text = await reply.text();
    document = openapi.parse(JSON.parse(text));
  });
  after(async () => service.close());

  const of = (operation: { path: string; method: string }) => {
    const methods = z.record(z.string(), described).parse(document.paths[operation.path]);
    return methods[operation.method.toLowerCase()] ?? assert.fail(`${operation.path} is not described`);
  };
  const fieldsOf = (operation: { path: string; method: string }) => {
    const { parameters, requestBody } = of(operation);
    const [body] = Object.values(requestBody?.content ?? {});
    const inBody = z.record(z.string(), z.unknown()).parse(body?.schema['properties'] ?? {});
    return [...parameters.map(({ name }) => name), ...Object.keys(inBody)];
  };

  it('creates the document once, and replaces only the address for each caller', () => {
    const { getCredits } = operations;
    const routes = [answer(getCredits, async () => Response.json({}))];
    const description = describeRoutes(routes);
    const first = description('http://first.example');
    routes.pop();
    assert.equal(
      description('http://second.example:80'),
      first.replace('first.example', 'second.example:80'),
    );
    assert.ok(openapi.parse(JSON.parse(first)).paths[getCredits.path]);
  });

  it('describes each operation, with each field once', () => {
    for (const operation of Object.values(operations)) {
      assert.equal(of(operation).operationId, operation.name);
      const fields = fieldsOf(operation);
      assert.deepEqual(fields.toSorted(), Object.keys(operation.request.shape).toSorted(), operation.name);
    }
  });

  it('describes the fields of each path as required parameters', () => {
    for (const operation of Object.values(operations)) {
      const inPath = of(operation).parameters.filter((parameter) => parameter.in === 'path');
      assert.deepEqual(
        inPath.map(({ name }) => name),
        pathFields(operation.path),
      );
      assert.ok(inPath.every(({ required }) => required));
    }
  });

  it('describes ranges and defaults', () => {
    assert.match(text, /"speed":\{"default":1,"type":"number","minimum":0\.5,"maximum":2\}/);
    assert.match(text, /"text":\{"type":"string",.{0,40}"maxLength":300/);
    assert.match(
      text,
      /"name":"page_size","in":"query","required":false,"schema":\{"default":20,"type":"integer","minimum":10,"maximum":100\}/,
    );
  });

  it('describes the key and both error bodies', () => {
    const { securitySchemes, schemas } = document.components;
    assert.deepEqual(securitySchemes, { key: { type: 'apiKey', in: 'header', name: 'x-sup-api-key' } });
    assert.deepEqual(document.security, [{ key: [] }]);
    assert.deepEqual(Object.keys(schemas), ['Error', 'NamedError']);
  });

  it('contains every schema that it refers to', () => {
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      assert.ok(name && document.components.schemas[name], name);
    }
  });

  const statuses = {
    createSpeech: [200, 400, 401, 402, 403, 404, 408, 429, 500, 503],
    streamSpeech: [200, 400, 401, 402, 403, 404, 408, 429, 500, 503],
    predictDuration: [200, 400, 401, 403, 404, 408, 429, 500, 503],
    createClonedVoice: [200, 400, 401, 403, 408, 413, 415, 429, 500, 503],
    searchVoices: [200, 400, 401, 429, 500, 503],
    deleteCustomVoice: [204, 400, 401, 403, 404, 429, 500, 503],
    getCredits: [200, 401, 429, 500, 503],
  } as const;
  for (const [name, expected] of Object.entries(statuses)) {
    it(`describes the statuses of ${name}: ${expected.join(', ')}`, () => {
      const operation = Object.values(operations).find((operation) => operation.name === name);
      const { responses } = of(operation ?? assert.fail(name));
      assert.deepEqual(Object.keys(responses).map(Number), expected);
    });
  }

  it('describes a plain body for 400 and 415, a named body for others, and Retry-After for 429 and 503', () => {
    for (const operation of Object.values(operations)) {
      for (const [status, { content: body, headers }] of Object.entries(of(operation).responses)) {
        if (Number(status) < 400) continue;
        const name = ['400', '415'].includes(status) ? 'Error' : 'NamedError';
        assert.deepEqual(body?.['application/json']?.schema, { $ref: `#/components/schemas/${name}` });
        assert.equal(headers?.['Retry-After'] !== undefined, ['429', '503'].includes(status), status);
      }
    }
  });

  it('describes types and headers of audio', () => {
    const types = (operation: { path: string; method: string }) =>
      Object.keys(of(operation).responses['200']?.content ?? {});
    assert.deepEqual(types(operations.createSpeech), ['audio/wav', 'audio/mpeg', 'application/json']);
    assert.deepEqual(types(operations.streamSpeech), ['audio/wav', 'audio/mpeg', 'application/x-ndjson']);
    const headers = (operation: { path: string; method: string }) =>
      Object.keys(of(operation).responses['200']?.headers ?? {});
    assert.deepEqual(headers(operations.createSpeech), [
      'X-Audio-Length',
      'X-Voice-Approximate',
      'X-Voice-Fallback',
      'X-Voice-Fallback-Reason',
    ]);
    const streamed = [
      'Cache-Control',
      'X-Content-Type-Options',
      'Trailer',
      'X-Audio-Length',
      'X-Voice-Approximate',
      'X-Voice-Fallback',
      'X-Voice-Fallback-Reason',
    ];
    assert.deepEqual(headers(operations.streamSpeech), streamed);
  });

  it('contains valid JSON schemas only', () => {
    const ajv = new Ajv2020();
    const { schemas } = document.components;
    const all: unknown[] = [document.paths, schemas].flatMap(schemasIn);
    assert.ok(all.length > 100);
    for (const each of all) {
      const isValid = ajv.validateSchema(schema.parse(each));
      assert.ok(isValid, `${ajv.errorsText()}: ${JSON.stringify(each)}`);
    }
  });
});

/** Returns all values under a key `schema`, at any depth. */
function schemasIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'schema' ? [inner] : schemasIn(inner),
  );
}
