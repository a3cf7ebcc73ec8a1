/** Credits and daily usage. */
import { byId, element, fieldsOf, listOf, numberOf, textOf } from '@herald-speech/browser';
import { type Api, ApiError } from '../lib/api.js';
import { duration } from '../lib/format.js';
import { text } from '../lib/text.js';
import { type Day, dayChart } from './chart.js';

/** Days of the chart with today. They fit on one page (docs/interface.md#limits). */
const DAYS = 14;
const DAY = 86_400_000;

export class UsageView {
  constructor(private readonly api: Api) {}

  /** Loads and shows credits and usage. @throws ApiError */
  async load(): Promise<void> {
    const [balance, days] = await Promise.all([this.#balance(), this.#days()]);
    byId('balance', HTMLElement).textContent = balance === null ? text('usage.unlimited') : duration(balance);
    const isUsed = days.some(({ seconds }) => seconds > 0);
    const none = element('p', { className: 'note' }, text('usage.none', { count: DAYS }));
    const place = byId('chart', HTMLElement);
    const isOpen = place.querySelector('details')?.open === true;
    place.replaceChildren(isUsed ? dayChart(days, isOpen) : none);
  }

  /** Returns the balance in seconds of audio, or null for unlimited credits (docs/interface.md#credits). */
  async #balance(): Promise<number | null> {
    const { balance } = fieldsOf(await this.api.json('GET', '/v1/credits'));
    return balance === null ? null : (numberOf(balance) ?? 0);
  }

  /** Returns the usage of each day. Returns an empty list if the service does not record usage. */
  async #days(): Promise<Day[]> {
    const end = (Math.floor(Date.now() / DAY) + 1) * DAY;
    const query = new URLSearchParams({
      start_time: new Date(end - DAYS * DAY).toISOString(),
      end_time: new Date(end).toISOString(),
      bucket_width: 'day',
      page_size: String(DAYS),
    });
    try {
      const reply = fieldsOf(await this.api.json('GET', `/v1/usage?${query}`));
      return listOf(reply['data']).map(readDay);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [];
      throw error;
    }
  }
}

function readDay(item: unknown): Day {
  const { starting_at: start, results } = fieldsOf(item);
  const minutes = listOf(results).map((result) => numberOf(fieldsOf(result)['minutes_used']) ?? 0);
  return { start: textOf(start), seconds: 60 * minutes.reduce((sum, part) => sum + part, 0) };
}
