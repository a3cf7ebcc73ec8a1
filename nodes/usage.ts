import { checkRequest, operations, USAGE_PAGE_SIZE, z } from '@herald-speech/client';
import { defineNode, type Task } from './shared/define-node.js';
import { choice, text } from './shared/properties.js';
import { dayOf, firstOf, time } from './shared/times.js';

const { getUsage, getVoiceUsage } = operations;
/** Days of a report that does not say where it starts; by voice there are no more (operations.md, Credits and usage). */
const DAYS = { day: 30, hour: 7 } as const;

const request = z.object({
  /** By time, with what minutes were used for; or by voice and day. */
  report: z.enum(['time', 'voice']).default('time'),
  start_time: time.optional(),
  end_time: time.optional(),
  start_date: time.optional(),
  end_date: time.optional(),
  bucket_width: getUsage.request.shape.bucket_width.unwrap().default('day'),
  /** What minutes are told apart by: a list, or words with commas. */
  breakdown_type: z
    .union([z.string().transform((words) => words.split(/[\s,]+/)), z.array(z.string())])
    .optional(),
});

type UsageTask = Task<z.output<typeof request>>;

/** Minutes of audio that were used: by hour or day, or by voice. */
export = defineNode({
  type: 'herald-usage',
  request,
  properties: {
    report: choice('bar-chart', ['time', 'voice'], 'time'),
    start_time: text('calendar-o'),
    end_time: text('calendar'),
    bucket_width: choice('clock-o', ['day', 'hour'], 'day'),
    breakdown_type: text('pie-chart'),
    start_date: text('calendar-o'),
    end_date: text('calendar'),
  },
  async run(task) {
    const { items, total } = task.request.report === 'time' ? await byTime(task) : await byVoice(task);
    return { ...task.message, payload: items, speech: { total } };
  },
});

/** Every bucket of the time, whatever page it is on. */
async function byTime({ client, request: fields, ...options }: UsageTask) {
  const { start_time, end_time = new Date(), bucket_width, breakdown_type } = fields;
  const start = start_time ?? new Date(firstOf(DAYS[bucket_width], end_time));
  const usage = checkRequest(getUsage.request, {
    start_time: start.toISOString(),
    end_time: end_time.toISOString(),
    bucket_width,
    breakdown_type,
    page_size: USAGE_PAGE_SIZE.max,
  });
  const items = [];
  let total: number | undefined;
  for await (const page of client.pages(getUsage, usage, options)) {
    items.push(...page.data);
    total = page.total;
  }
  return { items, total: total ?? items.length };
}

async function byVoice({ client, request: { start_date, end_date = new Date() }, ...options }: UsageTask) {
  const days = {
    start_date: start_date ? dayOf(start_date) : firstOf(DAYS.day, end_date),
    end_date: dayOf(end_date),
  };
  const { usages: items } = await client.call(getVoiceUsage, days, options);
  return { items, total: items.length };
}
