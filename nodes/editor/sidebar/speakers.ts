/** The speakers in the sidebar: their states, a test sound, their volume, and the found ones that can be added. */
import { arrange, debounced, element, whileBusy } from '@herald-speech/browser';
import { addConfigNode } from '../lib/config-nodes.js';
import { showStatus } from '../lib/dom.js';
import { callRuntime, sentence } from '../lib/runtime.js';
import { OpenPort } from '../reach/open-port.js';
import { reportIn, verdictOf } from '../reach/report.js';
import { isNetworked, SPEAKER } from '../speakers/found.js';
import { type ListedSpeaker, listedSpeakers, targetOfListed } from '../speakers/listed.js';
import { createSearchBar, type SearchBar } from '../speakers/search-bar.js';
import { speakerSearch } from '../speakers/search.js';
import { playersOfAny, servingAccount, testSpeaker } from '../speakers/test-sound.js';
import { createSection } from './row-list.js';
import { SpeakerRow } from './speaker-row.js';
import { type ShownSpeaker, statesIn } from './speaker-state.js';
import { words } from './words.js';

const ACCOUNT = 'herald-account';
/** Milliseconds between two requests for the states. */
const REFRESH_MS = 3000;
/** Milliseconds after the last change until the reach is checked. */
const PAUSE_MS = 200;
/** The topic of `nodes/output/urls/ports-until-deploy.ts`. */
const PORTS = 'herald/reach/ports';
/** The texts of the lists of speakers belong to the nodes. */
const texts: Pick<EditorNode, '_'> = {
  _: (key, values = {}) => RED._(`@herald-speech/node-red/herald-text-to-speech:${key}`, values),
};

/** The parts with texts of the nodes. */
interface Controls {
  bar: SearchBar;
  port: OpenPort;
}

/** The section of the speakers. It requests nothing while it is not started. */
export class SpeakerSection {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly note: HTMLElement;
  private readonly verdict = element('p', { className: 'herald-activity-empty' });
  private readonly result = element('p', { className: 'herald-activity-empty', role: 'status' });
  private readonly rows = new Map<string, SpeakerRow>();
  private controls: Controls | undefined;
  private states: ReadonlyMap<string, ShownSpeaker> = new Map();
  private current: AbortController | undefined;
  /** The number of checks of the reach. Only the answer of the last one counts. */
  private checks = 0;
  private unfollow = (): void => undefined;

  constructor() {
    const { section, list, note } = createSection(words('speakers.title'), words('speakers.none'));
    this.element = section;
    this.list = list;
    this.note = note;
    section.append(this.result, this.verdict);
  }

  start(): void {
    if (this.current !== undefined) return;
    this.current = new AbortController();
    this.controls ??= this.addControls();
    this.unfollow = speakerSearch.follow(() => this.show());
    for (const event of ['nodes:add', 'nodes:change', 'nodes:remove'] as const)
      RED.events.on(event, this.changed);
    RED.events.on('deploy', this.checkReach);
    RED.comms.subscribe(PORTS, this.checkReach);
    this.show();
    this.checkReach();
    void this.refresh(this.current.signal);
  }

  stop(): void {
    this.current?.abort();
    this.current = undefined;
    this.unfollow();
    for (const event of ['nodes:add', 'nodes:change', 'nodes:remove'] as const)
      RED.events.off(event, this.changed);
    RED.events.off('deploy', this.checkReach);
    RED.comms.unsubscribe(PORTS, this.checkReach);
  }

  /** The texts of the nodes arrive after this section was made. */
  private addControls(): Controls {
    const bar = createSearchBar(texts);
    const port = new OpenPort(texts, servingAccount, (id) => addConfigNode(ACCOUNT, {}, id), this.checkReach);
    this.verdict.before(...bar.parts);
    this.verdict.after(...port.parts);
    return { bar, port };
  }

  private readonly changed = ({ type }: EditorNode): void => {
    if (type === SPEAKER) this.show();
    if (type === SPEAKER || type === ACCOUNT) this.checkReach();
  };

  /** Requests the states again and again. A failure shows in the other parts of the tab. */
  private async refresh(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (listedSpeakers().some((one) => 'node' in one)) {
        const states = await callRuntime('speakers/states', {}, signal).then(statesIn, () => undefined);
        if (signal.aborted) return;
        this.states = states ?? this.states;
        this.show();
      }
      await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
    }
  }

  private show(): void {
    const listed = listedSpeakers();
    const items = listed.map((one) => {
      const row = this.rowOf(one);
      row.update(one, 'node' in one ? this.states.get(one.node.id) : undefined);
      return row.item;
    });
    arrange(this.list, items);
    this.note.hidden = listed.length > 0;
    this.controls?.bar.show(listed.length);
  }

  private rowOf(listed: ListedSpeaker): SpeakerRow {
    const known = this.rows.get(listed.key);
    const row = known ?? new SpeakerRow(listed, texts, (one, pressed) => this.test(one, pressed));
    this.rows.set(listed.key, row);
    return row;
  }

  private test(listed: ListedSpeaker, pressed: HTMLButtonElement): void {
    const shown = { note: this.result, texts };
    void whileBusy(pressed, () => testSpeaker(targetOfListed(listed), playersOfAny, shown));
  }

  /** Checks the reach soon: an account changes several times at once. */
  private readonly checkReach = debounced(() => void this.answerReach(), PAUSE_MS);

  /** Answers whether the speakers can fetch audio, and offers the audio port. Without a speaker of the network, there is no question. */
  private async answerReach(): Promise<void> {
    if (this.current === undefined) return;
    const current = ++this.checks;
    const isAsked = listedSpeakers().some((one) => 'node' in one && isNetworked(one.kind));
    const report = isAsked
      ? await callRuntime('reach/addresses', playersOfAny()).then(reportIn, () => undefined)
      : undefined;
    if (current !== this.checks || this.current === undefined) return;
    this.controls?.port.show(report?.offer);
    if (report === undefined) return showStatus(this.verdict, '');
    const { kind, text } = verdictOf(report, texts);
    const [problem] = report.problems;
    const lines = [text, problem === undefined ? '' : sentence(problem.text)];
    showStatus(this.verdict, lines.join(' ').trim(), kind === 'bad');
  }
}
