/** The test sound: its buttons, its note, and the live list of its requests. */
import { element, type Fields, playToEnd, textOf, whileBusy } from '@herald-speech/browser';
import { button, icon, showStatus } from '../lib/dom.js';
import { callRuntime, errorText } from '../lib/runtime.js';
import { playing, stopSound } from '../lib/sound.js';
import { LiveRequests } from './live.js';
import type { Verdict } from './report.js';
import { playerText, requestTable, type SoundRequest } from './requests.js';
import { targetOfListed } from '../speakers/listed.js';
import { speakerSearch } from '../speakers/search.js';
import { playTestSound } from '../speakers/test-sound.js';
import { BROWSER, selectedSpeaker, showSpeakers, targetList } from './targets.js';

/** Milliseconds without a request, after which the panel names the most likely cause. */
const PATIENCE_MS = 8000;

export interface SoundTestOptions {
  node: EditorNode;
  /** Returns the typed values for a test sound. */
  typed(): object;
  /** Returns the most likely reason for which no request arrives. */
  cause(): string;
  /** Whether the panel is open. */
  isShown(): boolean;
  /** Is called with the answer when a request from another device has arrived. */
  onReached(answer: Verdict): void;
}

export class SoundTest {
  private readonly note = element('p', { className: 'herald-note', role: 'status' });
  private readonly hint = element('p', { className: 'herald-note', role: 'status' });
  private readonly url = element('input', { type: 'text', readOnly: true, hidden: true });
  private readonly list = element('div');
  private readonly targets: HTMLSelectElement;
  private readonly live: LiveRequests;
  /** The file name of the last test sound. */
  private name = '';
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private stopPlaying: AbortController | undefined;
  private unfollow: (() => void) | undefined;
  /** Whether the user waits for the first speaker. */
  private isSought = false;
  readonly parts: readonly HTMLElement[];

  constructor(private readonly options: SoundTestOptions) {
    const { node, isShown } = options;
    this.targets = targetList(node);
    this.url.ariaLabel = node._('reach.test-url');
    this.live = new LiveRequests({
      isShown,
      show: (requests) => this.showRequests(requests),
      fail: (error) => showStatus(this.note, errorText(error, node), true),
    });
    const find = this.button('reach.find', 'search', async () => {
      this.isSought = true;
      speakerSearch.start();
    });
    showSpeakers(this.targets, node);
    const play = this.button('reach.play', 'play', () => this.play());
    const copy = this.button('reach.copy', 'clipboard', () => this.copy());
    const label = element('span', {}, node._('reach.play-on'));
    const bar = element('div', { className: 'herald-reach-bar' }, label, this.targets, play, find, copy);
    this.parts = [bar, this.url, this.note, this.hint, this.list];
  }

  /** Shows requests and found speakers again after the panel was closed. */
  resume(): void {
    this.live.resume();
    this.unfollow?.();
    this.unfollow = speakerSearch.follow(() => this.showFound());
  }

  /** Ends all calls and timers. */
  stop(): void {
    this.unfollow?.();
    this.unfollow = undefined;
    this.live.pause();
    clearTimeout(this.waiting);
    this.stopPlaying?.abort();
  }

  private button(label: string, symbol: string, act: () => Promise<void>): HTMLButtonElement {
    const pressed = button({}, icon(symbol), ` ${this.options.node._(label)}`);
    pressed.dataset['action'] = label.replace('reach.', '');
    pressed.addEventListener('click', () => void whileBusy(pressed, () => this.attempt(act)));
    return pressed;
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      showStatus(this.note, errorText(error, this.options.node), true);
    }
  }

  /** Shows the speakers and the state of the search. Selects the first speaker after the user has started the search. */
  private showFound(): void {
    const { node } = this.options;
    const { state } = speakerSearch;
    const count = showSpeakers(this.targets, node);
    const [, , first] = this.targets.options;
    if (this.isSought && first !== undefined) {
      this.targets.value = first.value;
      this.isSought = false;
    }
    if (state.is === 'failed') return showStatus(this.note, errorText(state.error, node), true);
    if (state.is === 'searching') return showStatus(this.note, node._('reach.finding'));
    showStatus(this.note, count === 0 ? node._('reach.none') : node._('reach.found', { count }));
  }

  private async copy(): Promise<void> {
    const test = await this.start();
    const isCopied = RED.clipboard.copyText(textOf(test['url']));
    showStatus(this.note, this.options.node._(isCopied ? 'reach.copied' : 'reach.not-copied'));
  }

  private async play(): Promise<void> {
    const { node } = this.options;
    const { value: target } = this.targets;
    const speaker = selectedSpeaker(this.targets);
    const test = await this.start();
    const [name, url] = [textOf(test['name']), textOf(test['url'])];
    if (target === BROWSER) return this.playHere(url);
    if (speaker === undefined) await callRuntime('reach/flow', { name, node: node.id });
    const sent =
      speaker === undefined
        ? node._('reach.sent')
        : await playTestSound(targetOfListed(speaker), { ...this.options.typed(), name }, node);
    showStatus(this.note, [sent, chimeOnly(test, node)].filter(Boolean).join(' '));
  }

  private async playHere(url: string): Promise<void> {
    const { node } = this.options;
    stopSound();
    this.stopPlaying?.abort();
    this.stopPlaying = new AbortController();
    showStatus(this.note, node._('reach.playing'));
    try {
      await playToEnd(url, this.stopPlaying.signal, playing);
      showStatus(this.note, node._('reach.played'));
    } catch {
      const isBlocked = location.protocol === 'https:' && url.startsWith('http:');
      showStatus(this.note, node._(isBlocked ? 'reach.blocked' : 'reach.not-played', { url }), true);
    }
  }

  /** Starts a test with a new URL, and follows its requests. */
  private async start(): Promise<Fields> {
    const { node, typed } = this.options;
    showStatus(this.note, node._('reach.starting'));
    showStatus(this.hint, '');
    const test = await callRuntime('reach/test', typed());
    this.url.value = textOf(test['url']);
    this.url.hidden = false;
    this.name = textOf(test['name']);
    this.live.add(this.name);
    clearTimeout(this.waiting);
    showStatus(this.hint, node._('reach.waiting'));
    this.waiting = setTimeout(() => {
      showStatus(this.hint, node._('reach.no-request', { cause: this.options.cause() }), true);
    }, PATIENCE_MS);
    return test;
  }

  private showRequests(requests: readonly SoundRequest[]): void {
    const { node, onReached } = this.options;
    if (requests.length === 0) return;
    this.list.replaceChildren(requestTable(requests, node));
    const current = requests.filter(({ name }) => name === this.name);
    if (current.length === 0) return;
    clearTimeout(this.waiting);
    showStatus(this.hint, '');
    const others = current.filter(({ isOwn, status }) => !isOwn && status >= 200 && status < 400);
    const best = others.find(({ otherBase }) => otherBase === '') ?? others[0];
    if (best !== undefined) onReached(reachedBy(best, node));
  }
}

/** A player that used another base URL says nothing about the one in use. */
function reachedBy(request: SoundRequest, node: EditorNode): Verdict {
  const { otherBase: other } = request;
  const player = playerText(request, node);
  return other === ''
    ? { kind: 'good', text: node._('reach.reached', { player }) }
    : { kind: 'perhaps', text: node._('reach.reached-other', { player, other }) };
}

const chimeOnly = (test: Fields, node: EditorNode): string =>
  textOf(test['text']) === '' ? node._('reach.chime-only') : '';
