/** The operations on the credits and the usage of an account, with their schemas (docs/interface.md#credits). */
import { z } from '#zod';
import { lazy } from '../base/lazy.js';
import { text } from '../base/messages.js';
import { rule } from './describe-issues.js';
import { completed, ifPresent, tolerantArray } from './lenient.js';
import { USAGE_PAGE_SIZE } from './limits.js';
import { operation } from './operation.js';
import { orElse } from './or-else.js';
import { between, noFields } from './parts.js';

const credits = lazy(() => z.looseObject({ balance: z.number().nullable() }));

const moment = lazy(() => z.iso.datetime({ offset: true, error: rule(text('rule-time')) }));

const usageQuery = lazy(() =>
  z.object({
    start_time: moment(),
    end_time: moment(),
    bucket_width: orElse(z.enum(['hour', 'day']), 'day'),
    breakdown_type: z
      .array(z.enum(['voice_id', 'voice_name', 'api_key', 'model']))
      .refine(
        (types) => !(types.includes('voice_id') && types.includes('voice_name')),
        rule(text('rule-groups')),
      )
      .optional(),
    page_size: orElse(between(z.int(), USAGE_PAGE_SIZE.min, USAGE_PAGE_SIZE.max), USAGE_PAGE_SIZE.default),
    next_page_token: z.string().min(1).optional(),
  }),
);

const usageResult = lazy(() =>
  z.looseObject({
    minutes_used: z.number(),
    voice_id: z.string().nullish(),
    voice_name: z.string().nullish(),
    api_key: z.string().nullish(),
    model: z.string().nullish(),
  }),
);

const usage = lazy(() =>
  z.looseObject({
    data: tolerantArray(
      z.looseObject({
        starting_at: z.string(),
        ending_at: z.string(),
        results: tolerantArray(usageResult()),
      }),
    ),
    total: ifPresent(z.number()),
    next_page_token: z.string().nullish(),
  }),
);

const day = lazy(() => z.iso.date({ error: rule(text('rule-date')) }));

const voiceUsageQuery = lazy(() => z.object({ start_date: day(), end_date: day() }));

const voiceUsage = lazy(() =>
  z.looseObject({
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
  }),
);

/** Gets the balance of credits (docs/interface.md#credits); null if the service counts no credits. */
export const getCredits = operation({
  name: 'getCredits',
  summary: 'Get the balance of credits',
  method: 'GET',
  path: '/v1/credits',
  request: noFields,
  response: credits,
  failures: [],
});

/** Reports the minutes used, by time bucket (docs/interface.md#usage). */
const getUsage = operation({
  name: 'getUsage',
  summary: 'Report the minutes used, by time',
  method: 'GET',
  path: '/v1/usage',
  request: usageQuery,
  response: usage,
  failures: [400],
});

/** Reports the minutes used, by voice and day, over at most 30 days (docs/interface.md#voice-usage). */
export const getVoiceUsage = operation({
  name: 'getVoiceUsage',
  summary: 'Report the minutes used, by voice and day',
  method: 'GET',
  path: '/v1/voice-usage',
  request: voiceUsageQuery,
  response: voiceUsage,
  failures: [400],
});

export const accountOperations = { getCredits, getUsage, getVoiceUsage };
