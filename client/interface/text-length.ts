import type { z } from 'zod';
import { text } from '../base/messages.js';
import { rule } from './describe-issues.js';

/**
 * Limits a text in UTF-16 code units, like `length`. The method `max` of zod counts code points, so it would accept 300
 * emoji, which have 600 code units. A description of the interface has the limit as `maxLength`.
 */
export const atMost = (limit: number, schema: z.ZodString): z.ZodString =>
  schema
    .refine((value) => value.length <= limit, rule(text('rule-characters', { limit })))
    .meta({ maxLength: limit });
