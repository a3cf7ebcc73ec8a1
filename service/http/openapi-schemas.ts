import { MAX_SAMPLE_BYTES } from '@herald-speech/client/interface';
import { z } from 'zod';

/** A part of an OpenAPI document. */
export type Schema = Record<string, unknown>;

/** The schema of binary content. */
export const binary = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };

/** Returns the OpenAPI `content` object of a JSON body. */
export function jsonContent(schema: Schema): Schema {
  return { 'application/json': { schema } };
}

/** Converts a schema to JSON Schema 2020-12. A custom schema becomes a file with its maximum size. */
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
