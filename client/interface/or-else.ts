import type { z } from 'zod';

/** An optional field. Descriptions of the interface state the service's default; the client never fills it in. */
export const orElse = <Schema extends z.ZodType>(schema: Schema, value: number | string | boolean) =>
  schema.optional().meta({ default: value });
