import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';

const schema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  contentMediaType: z.string().optional(),
  required: z.array(z.string()).default([]),
  get items() {
    return schema.optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get properties() {
    return z.record(z.string(), schema).default({});
  },
});

/** The parts of JSON Schema that the service uses. */
export type Schema = z.output<typeof schema>;

const content = z.record(z.string(), z.object({ schema }));
const reply = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.object({ schema: z.unknown() })).default({}),
  content: z
    .record(z.string(), z.object({ schema: z.looseObject({ $ref: z.string().optional() }) }))
    .default({}),
});
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema })),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), reply),
});
const document = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    securitySchemes: z.object({ key: z.object({ name: z.string() }) }),
    schemas: z.record(z.string(), schema),
  }),
});

export type Operation = z.output<typeof operation>;
export type Document = z.output<typeof document>;

/** Fetches the machine-readable description of a running service. */
export async function fetchDescription(url: string): Promise<Document> {
  const response = await fetch(`${url}/openapi.json`);
  return document.parse(await response.json());
}

/** Returns the described operations by name. */
export function operationsOf({ paths }: Document): Map<string, Operation> {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(all.map((each) => [each.operationId, each]));
}

/** A request field in the words of the page. */
export interface Field {
  Field: string;
  In: string;
  Type: string;
  Required: string;
  Default: string;
  Range: string;
}

/** Returns every request field of an operation. */
export function requestFieldsOf({ parameters, requestBody }: Operation): Field[] {
  const outside = parameters.map(({ name, in: place, required, schema: field }) =>
    fieldOf(name, place, required, field),
  );
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
  const place = type === 'multipart/form-data' ? 'form' : 'body';
  const inside = Object.entries(body?.schema.properties ?? {}).map(([name, field]) =>
    fieldOf(name, place, body?.schema.required.includes(name) === true, field),
  );
  return [...outside, ...inside];
}

/** Returns the schema of the body of the successful JSON reply. */
export function replyOf({ responses }: Operation): Schema {
  const body = responses['200']?.content['application/json'] ?? assert.fail('the reply has no JSON');
  return schema.parse(body.schema);
}

/** Returns the named field of the request body. */
export function bodyFieldOf({ requestBody }: Operation, name: string): Schema {
  const [body] = Object.values(requestBody?.content ?? {});
  return body?.schema.properties[name] ?? assert.fail(`the body has no field ${name}`);
}

export function fieldOf(name: string, place: string, isRequired: boolean, field: Schema): Field {
  const value = field.default;
  return {
    Field: name,
    In: place,
    Type: typeOf(field),
    Required: isRequired ? 'yes' : 'no',
    Default: value === undefined ? 'none' : String(value),
    Range: rangeOf(field),
  };
}

/** Returns the type of a field in the words of the page; `object` stands for a link to another table. */
export function typeOf({ type, anyOf, items, contentMediaType }: Schema): string {
  if (contentMediaType !== undefined) return 'file';
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  return type === 'array' && items !== undefined ? `array of ${typeOf(items)}` : (type ?? 'any');
}

const formats = new Map([
  ['date-time', 'RFC 3339 time'],
  ['date', 'date YYYY-MM-DD'],
]);
const patterns = new Map([
  [String.raw`^(?!\.{1,2}$)[^\s\p{Surrogate}]+$`, 'no white space'],
  [String.raw`[\p{L}\p{N}]`, 'at least one letter or digit'],
  ['^[a-z]{2}(?:[-_][A-Za-z0-9]{2,8})*$', 'two lower-case letters, also with a region'],
]);

function rangeOf(field: Schema): string {
  const { enum: words = field.items?.enum, minimum: min, maximum: max, format, pattern } = field;
  if (words !== undefined) return words.join(', ');
  if (min !== undefined || max !== undefined) return `${min} to ${max}`;
  if (format !== undefined) return formats.get(format) ?? format;
  const form = pattern === undefined ? [] : [patterns.get(pattern) ?? pattern];
  return [...lengthOf(field), ...form].join('; ') || 'any';
}

function lengthOf({ minLength: min, maxLength: max, contentMediaType }: Schema): string[] {
  const unit = contentMediaType === undefined ? 'characters' : 'bytes';
  if (max === undefined) return min === undefined ? [] : ['not empty'];
  const most = max.toLocaleString('en-US');
  return [min === undefined ? `at most ${most} ${unit}` : `${min} to ${most} ${unit}`];
}
