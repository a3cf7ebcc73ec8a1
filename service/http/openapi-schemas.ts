import { MAX_SAMPLE_BYTES } from '@herald-speech/client/interface';
import { z } from 'zod';

/** A piece of an OpenAPI document. */
export type Schema = Record<string, unknown>;

/** Bytes of no further structure. */
export const binary = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };

/** The content of a JSON body. */
export function jsonOf(schema: Schema): Schema {
  return { 'application/json': { schema } };
}

/** A schema as JSON Schema 2020-12. What is no JSON is a file, whose bound is told. */
export function toJson(schema: z.ZodType, io: 'input' | 'output'): Schema {
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
