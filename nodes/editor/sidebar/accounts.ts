/** The accounts with their balance, the use of their budget and the state of their service, and the figures of the audio cache. */
import { element, type Fields, fieldsOf, listOf, numberOf, textOf } from '@herald-speech/browser';
import { numeral } from '../lib/languages.js';
import { readRuntime } from '../lib/runtime.js';
import { accountText, words } from './words.js';

/** Milliseconds between two requests. The runtime asks a service at most once in this time. */
const REFRESH_MS = 60_000;
/** Milliseconds from the end of an announcement to the next request: many announcements cause one request. */
const COLLECT_MS = 5000;

/** Shows the states while it is started. */
export class Accounts {
  readonly list = element('ul', { className: 'herald-activity-accounts' });
  readonly cache = element('p', { className: 'herald-activity-cache' });
  private timer: ReturnType<typeof setInterval> | undefined;
  private soon: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly failed: (error: unknown) => void) {}

  start(): void {
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => void this.update(), REFRESH_MS);
    void this.update();
  }

  stop(): void {
    clearInterval(this.timer);
    clearTimeout(this.soon);
    this.timer = undefined;
    this.soon = undefined;
  }

  /** Updates the figures soon: an announcement has used the budget or the cache. */
  changed(): void {
    if (this.timer === undefined) return;
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      void this.update();
    }, COLLECT_MS);
  }

  private async update(): Promise<void> {
    try {
      const [states, cache] = await Promise.all([readRuntime('activity/accounts'), readRuntime('cache')]);
      this.list.replaceChildren(...listOf(states['accounts']).map(accountItem));
      this.cache.textContent = cacheText(cache);
    } catch (error) {
      this.failed(error);
    }
  }
}

function accountItem(value: unknown): HTMLLIElement {
  const fields = fieldsOf(value);
  const state = textOf(fields['state']);
  const isNamed = fields['service'] === 'local' && fields['name'] !== 'local';
  const facts = [
    isNamed ? words('local-service') : '',
    words(`service.${state}`),
    balanceText(fields),
    ...budgetTexts(fieldsOf(fields['budget'])),
  ];
  const error = textOf(fieldsOf(fields['error'])['message']);
  const name = textOf(fields['name']);
  return element(
    'li',
    { className: 'herald-activity-account' },
    element('strong', { textContent: accountText(name) }),
    element('div', { textContent: facts.filter(Boolean).join(' · ') }),
    ...(error === '' ? [] : [element('div', { className: 'herald-problem', textContent: error })]),
  );
}

function balanceText(fields: Fields): string {
  const balance = numberOf(fields['balance']);
  return balance === undefined ? '' : words('balance', { credits: numeral(balance) });
}

/** Returns the use of each limited period, or of today if the budget limits only single messages. */
function budgetTexts(budget: Fields): string[] {
  const unit = budget['unit'] === 'credits' ? 'credits' : 'seconds';
  const figures = ({ used, limit }: Fields) => ({
    used: numeral(Number(used)),
    limit: numeral(Number(limit)),
  });
  const limits = listOf(budget['limits']).map(fieldsOf);
  if (limits.length > 0)
    return limits.flatMap((each) => [
      each['per'] === 'month'
        ? words(`month.${unit}`, figures(each))
        : words(`budget.${unit}`, figures(each)),
      each['isOver'] === true ? words('over-budget') : '',
    ]);
  return budget['used'] === undefined ? [] : [words(`used.${unit}`, figures(budget))];
}

function cacheText(cache: Fields): string {
  if (cache['folder'] === null) return words('cache.off');
  const figure = (name: string) => numberOf(cache[name]) ?? 0;
  return words('cache.figures', {
    entries: numeral(figure('entries')),
    size: numeral(figure('bytes') / 1_000_000),
  });
}
