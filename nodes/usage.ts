import { checkRequest, operations, rounded, type Text, USAGE_PAGE_SIZE, z } from '@herald-speech/client';
import { defineNode, type Task } from './lib/define-node.js';
import { keyField } from './lib/fields.js';
import { collectItems } from './lib/pages.js';
import { choiceProperty, textProperty } from './lib/property.js';
import { say } from './runtime/messages.js';
import { dayOf, daysFrom, monthOf, type TimePeriod, periodOf, time, windowsOf } from './lib/times.js';

const { getUsage, getVoiceUsage } = operations;
/** Default period of a report in days, by interval. The report by voice allows 30 at most (docs/interface.md#voice-usage). */
const DAYS = { day: 30, hour: 7 } as const;
const reports = { time: byTime, voice: byVoice };
/** The choices of the period. Each returns the first UTC day, for the day of the end. */
const periods = {
  today: (end: Date) => periodOf(1, undefined, end),
  '7-days': (end: Date) => periodOf(7, undefined, end),
  '30-days': (end: Date) => periodOf(30, undefined, end),
  'this-month': monthOf,
} as const;

const fields = () =>
  z.object({
    report: keyField(reports).default('time'),
    /** The start and the end of the report. Blank: the fields of the times. */
    period: keyField({ ...periods, custom: undefined }).default('custom'),
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

type Fields = z.output<ReturnType<typeof fields>>;
type TimeField = 'start_time' | 'end_time' | 'start_date' | 'end_date';

/** Checks the period that a user sets. An error names a field that the user has set. */
const request = () =>
  fields().superRefine((report, context) => {
    if (report.period !== 'custom') return;
    const { start, end, first, last } = timesIn(report);
    if (first === undefined) return;
    const issue = (path: TimeField, text: Text) =>
      context.addIssue({ code: 'custom', path: [path], message: text.english, params: { text } });
    if (first > (last ?? new Date())) issue(last === undefined ? start : end, say('rule-order'));
    else if (report.report === 'voice' && daysFrom(first, last) > DAYS.day)
      issue(start, say('rule-days', { days: DAYS.day }));
  });

/** Returns the times of the chosen report, and the names of their fields. */
function timesIn(fields: Fields) {
  const [start, end] =
    fields.report === 'time' ? (['start_time', 'end_time'] as const) : (['start_date', 'end_date'] as const);
  return { start, end, first: fields[start], last: fields[end] };
}

const byTimeOnly = { more: true, onlyFor: { report: ['time'] } };
/** Times that the user sets without a choice of the period. */
const timesOf = (report: keyof typeof reports) => ({ onlyFor: { report: [report], period: ['custom'] } });

type Report = Task<z.output<ReturnType<typeof request>>>;

/** Reports the used minutes of audio: by hour or day with optional groups, or by voice and day. */
export = defineNode({
  type: 'herald-usage',
  needs: 'getUsage',
  request,
  label: ['report'],
  properties: {
    report: choiceProperty('bar-chart', Object.keys(reports), { value: 'time', more: true }),
    period: choiceProperty('history', [...Object.keys(periods), 'custom']),
    start_time: textProperty('calendar-o', timesOf('time')),
    end_time: textProperty('calendar', timesOf('time')),
    bucket_width: choiceProperty('clock-o', ['day', 'hour'], { value: 'day', ...byTimeOnly }),
    breakdown_type: textProperty('pie-chart', byTimeOnly),
    start_date: textProperty('calendar-o', timesOf('voice')),
    end_date: textProperty('calendar', timesOf('voice')),
  },
  async run(task) {
    const items = await reports[task.request.report](task);
    return { ...task.message, payload: items, speech: { total: items.length } };
  },
});

/** Returns all time buckets of the period, over all pages. */
async function byTime({ client, request: fields, ...options }: Report): Promise<object[]> {
  const { period, start_time, end_time, bucket_width, breakdown_type } = fields;
  const { start, end } =
    period === 'custom' ? periodOf(DAYS[bucket_width], start_time, end_time) : periods[period](new Date());
  const usage = checkRequest(getUsage.request, {
    start_time: start.toISOString(),
    end_time: end.toISOString(),
    bucket_width,
    breakdown_type,
    page_size: USAGE_PAGE_SIZE.max,
  });
  const pages = client.pages(getUsage, usage, { ...options, checked: true });
  const { items } = await collectItems(pages, ({ data }) => data);
  return items.map(({ results, ...bucket }) => ({
    ...bucket,
    results: results.map((result) => ({ ...result, minutes_used: rounded(result.minutes_used) })),
  }));
}

/** Returns the used minutes by voice and day. A month of 31 days takes two calls. */
async function byVoice({ client, request, ...options }: Report): Promise<object[]> {
  const items: object[] = [];
  for (const { start, end } of daysOf(request)) {
    const days = { start_date: dayOf(start), end_date: dayOf(end) };
    const { usages } = await client.call(getVoiceUsage, days, options);
    items.push(
      ...usages.map((usage) => ({ ...usage, total_minutes_used: rounded(usage.total_minutes_used) })),
    );
  }
  return items;
}

/** Returns the days of a report by voice. */
function daysOf({ period, start_date, end_date }: Report['request']): TimePeriod[] {
  if (period === 'custom') return [periodOf(DAYS.day, start_date, end_date)];
  return windowsOf(periods[period](new Date()), DAYS.day);
}
