/** The nodes with queued announcements, each with a button that clears its queue. */
import { element } from '@herald-speech/browser';
import { button } from '../lib/dom.js';
import { numeral } from '../lib/languages.js';
import type { Activity } from './announcement.js';
import { words } from './words.js';

interface Queue {
  item: HTMLLIElement;
  text: HTMLElement;
}

/** Shows the queues. The buttons stay in place while the numbers change. */
export class QueueList {
  readonly list = element('ul', { className: 'herald-activity-queues' });
  private readonly queues = new Map<string, Queue>();

  /**
   * @param clear clears the queue of a node, given its id
   * @param last gets the focus of the last button when it is removed
   */
  constructor(
    private readonly clear: (node: string, pressed: HTMLButtonElement) => void,
    private readonly last: HTMLElement,
  ) {}

  /** @param labelOf returns the label of a node */
  show(waiting: Activity['waiting'], labelOf: (node: string) => string): void {
    const nodes = new Set(waiting.map(({ node }) => node));
    const hadFocus = this.list.contains(document.activeElement);
    for (const [node, { item }] of this.queues) {
      if (nodes.has(node)) continue;
      item.remove();
      this.queues.delete(node);
    }
    for (const { node, count } of waiting) {
      const label = labelOf(node);
      this.queueOf(node, label).text.textContent = words('waiting', { node: label, count: numeral(count) });
    }
    if (hadFocus && !this.list.contains(document.activeElement))
      (this.list.querySelector('button') ?? this.last).focus();
    this.list.hidden = waiting.length === 0;
  }

  private queueOf(node: string, label: string): Queue {
    const known = this.queues.get(node);
    if (known !== undefined) return known;
    const text = element('span');
    const pressed = button({ className: 'red-ui-button-small' }, words('clear'));
    pressed.ariaLabel = words('clear-of', { node: label });
    pressed.addEventListener('click', () => this.clear(node, pressed));
    const queue = { item: element('li', {}, text, pressed), text };
    this.queues.set(node, queue);
    this.list.append(queue.item);
    return queue;
  }
}
