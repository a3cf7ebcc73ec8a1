import { checkRequest, operations, USAGE_PAGE_SIZE, z } from '@herald-speech/client';
import { defineNode, type Task } from './runtime/define-node.js';
import { entryOf } from './lib/fields.js';
import { collect } from './lib/pages.js';
import { choice, text } from './runtime/properties.js';
import { dayOf, periodOf, time } from './lib/times.js';

const { getUsage, getVoiceUsage } = operations;
/** Default period of a report in days, by interval. The report by voice allows 30 at most (docs/interface.md#voice-usage). */
const DAYS = { day: 30, hour: 7 } as const;
const reports = { time: byTime, voice: byVoice };

const request = () =>
  z.object({
    report: entryOf(reports).default('time'),
    start_time: time().optional(),
    end_time: time().optional(),
    start_date: time().optional(),
    end_date: time().optional(),
    bucket_width: getUsage.request.shape.bucket_width.unwrap().default('day'),
    /** The fields to group by: an array, or a text with commas. */
    breakdown_type: z
      .union([z.string().transform((words) => words.split(/[\s,]+/)), z.array(z.string())])
      .optional(),
  });

const byTimeOnly = { onlyFor: { report: ['time'] } };
const byVoiceOnly = { onlyFor: { report: ['voice'] } };

type Report = Task<z.output<ReturnType<typeof request>>>;

/** Reports the used minutes of audio: by hour or day with optional groups, or by voice and day. */
export = defineNode({
  type: 'herald-usage',
  request,
  label: ['report'],
  properties: {
    report: choice('bar-chart', Object.keys(reports), { value: 'time' }),
    start_time: text('calendar-o', byTimeOnly),
    end_time: text('calendar', byTimeOnly),
    bucket_width: choice('clock-o', ['day', 'hour'], { value: 'day', ...byTimeOnly }),
    breakdown_type: text('pie-chart', byTimeOnly),
    start_date: text('calendar-o', byVoiceOnly),
    end_date: text('calendar', byVoiceOnly),
  },
  async run(task) {
    const items = await reports[task.request.report](task);
    return { ...task.message, payload: items, speech: { total: items.length } };
  },
});

/** Returns all time buckets of the period, over all pages. */
async function byTime({ client, request: fields, ...options }: Report): Promise<object[]> {
  const { start_time, end_time, bucket_width, breakdown_type } = fields;
  const { start, end } = periodOf(DAYS[bucket_width], start_time, end_time);
  const usage = checkRequest(getUsage.request, {
    start_time: start.toISOString(),
    end_time: end.toISOString(),
    bucket_width,
    breakdown_type,
    page_size: USAGE_PAGE_SIZE.max,
  });
  const pages = client.pages(getUsage, usage, { ...options, checked: true });
  return (await collect(pages, ({ data }) => data)).items;
}

/** Returns the used minutes by voice and day. */
async function byVoice({ client, request, ...options }: Report): Promise<object[]> {
  const { start, end } = periodOf(DAYS.day, request.start_date, request.end_date);
  const days = { start_date: dayOf(start), end_date: dayOf(end) };
  return (await client.call(getVoiceUsage, days, options)).usages;
}
