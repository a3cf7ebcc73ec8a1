/** Schemas of the usage reports. */
import { z } from 'zod';
import { text } from '../base/messages.js';
import { rule } from './describe-issues.js';
import { completed, ifPresent, tolerantArray } from './lenient.js';
import { USAGE_PAGE_SIZE } from './limits.js';
import { orElse } from './or-else.js';

const moment = z.iso.datetime({ offset: true, error: rule(text('rule-time')) });

export const usageQuery = z.object({
  start_time: moment,
  end_time: moment,
  bucket_width: orElse(z.enum(['hour', 'day']), 'day'),
  breakdown_type: z
    .array(z.enum(['voice_id', 'voice_name', 'api_key', 'model']))
    .refine(
      (types) => !(types.includes('voice_id') && types.includes('voice_name')),
      rule(text('rule-groups')),
    )
    .optional(),
  page_size: orElse(z.int().min(USAGE_PAGE_SIZE.min).max(USAGE_PAGE_SIZE.max), USAGE_PAGE_SIZE.default),
  next_page_token: z.string().min(1).optional(),
});

const usageResult = z.looseObject({
  minutes_used: z.number(),
  voice_id: z.string().nullish(),
  voice_name: z.string().nullish(),
  api_key: z.string().nullish(),
  model: z.string().nullish(),
});

export const usage = z.looseObject({
  data: tolerantArray(
    z.looseObject({ starting_at: z.string(), ending_at: z.string(), results: tolerantArray(usageResult) }),
  ),
  total: ifPresent(z.number()),
  next_page_token: z.string().nullish(),
});

const day = z.iso.date({ error: rule(text('rule-date')) });

export const voiceUsageQuery = z.object({ start_date: day, end_date: day });

export const voiceUsage = z.looseObject({
  usages: tolerantArray(
    completed(
      z.looseObject({
        date: z.string(),
        voice_id: z.string(),
        name: z.string().nullish(),
        style: z.string().nullish(),
        language: z.string().nullish(),
        total_minutes_used: z.number(),
        model: z.string().nullish(),
        thumbnail_url: z.string().nullish(),
      }),
      { voice_id: '' },
    ),
  ),
});
