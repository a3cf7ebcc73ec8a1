/** The row "Speakers" of a node that plays: a list in which one click chooses a speaker, known or just found. */
import { arrange, element, whileBusy } from '@herald-speech/browser';
import { idsIn } from '../form/node-list.js';
import { typedUrl } from '../form/players.js';
import { formRowOf, literalOf, onEdit, type Row, type Rows, widgetOf } from '../form/rows.js';
import { button, icon, reveal, showStatus } from '../lib/dom.js';
import { addSpeaker, isNetworked, SPEAKER } from './found.js';
import { speakerFacts, type ListedSpeaker, listedSpeakers, targetOfListed } from './listed.js';
import { createSearchBar } from './search-bar.js';
import { speakerSearch } from './search.js';
import { type SpeakerTarget, targetOfSpeaker, testSpeaker } from './test-sound.js';

/** The chosen speakers of the open dialog. */
export interface ChosenSpeakers {
  /** Returns the chosen speakers with their values in this editor; none unless the node plays on speakers. */
  targets(): SpeakerTarget[];
  /** The end of the row, for the offer of an audio port. */
  readonly below: HTMLElement;
  /** Whether a chosen speaker fetches the audio from Node-RED. */
  isNetworked(): boolean;
}

/** Fills the row if the form has one. */
export function prepareSpeakers(rows: Rows, node: EditorNode): ChosenSpeakers | undefined {
  const row = rows.find(({ input }) => input.dataset['nodes'] === SPEAKER);
  if (row === undefined) return undefined;
  const isShown = () => literalOf(rows, 'output') === 'speaker' && row.type.value === 'json';
  const list = new SpeakerList(row, node, {
    typed: ({ kind = '' }) => typedUrl(rows, node, isNetworked(kind)),
    isShown,
  });
  const output = rows.find(({ field }) => field === 'output');
  const update = () => list.show();
  for (const each of [row, output]) if (each !== undefined) onEdit(each, update);
  if (output !== undefined)
    addShortcut(output, node, {
      isDone: () => literalOf(rows, 'output') === 'speaker',
      pressed: () => list.seek(),
    });
  list.show();
  const isNetworkedNow = () => isShown() && list.chosen().some(({ kind }) => isNetworked(String(kind)));
  showUrl(rows, isNetworkedNow);
  return {
    targets: () => (isShown() ? list.chosen().map(targetOfSpeaker) : []),
    below: list.below,
    isNetworked: isNetworkedNow,
  };
}

/** Hides the base URL while no chosen speaker needs it. A typed base URL stays visible. */
function showUrl(rows: Rows, isNeeded: () => boolean): void {
  const url = rows.find(({ field }) => field === 'base_url');
  if (url === undefined) return;
  const update = () => {
    if (literalOf(rows, 'output') === 'speaker')
      formRowOf(url.input).hidden = url.input.value === '' && !isNeeded();
  };
  for (const row of rows) if (['output', 'speakers'].includes(row.field)) onEdit(row, update);
  update();
}

/** Adds the button that plays on speakers with one click. */
function addShortcut(
  output: Row,
  node: EditorNode,
  { isDone, pressed: seek }: { isDone(): boolean; pressed(): void },
): void {
  const title = node._('speakers.shortcut');
  const pressed = button({ title }, icon('volume-up'));
  const row = formRowOf(output.input);
  const show = () => {
    pressed.hidden = isDone();
    row.classList.toggle('herald-with-button', !pressed.hidden);
  };
  pressed.addEventListener('click', () => {
    seek();
    widgetOf(output.input).typedInput('type', 'str');
    $(output.input).typedInput('value', 'speaker');
    $(output.input).trigger('change');
  });
  row.append(pressed);
  onEdit(output, show);
  show();
}

interface ListOptions {
  /** Returns the typed values that determine the URL of a sound for a speaker. @throws RuntimeError */
  typed(speaker: SpeakerTarget): object;
  isShown(): boolean;
}

interface ListRow {
  item: HTMLLIElement;
  update(listed: ListedSpeaker): void;
}

class SpeakerList {
  private readonly list = element('ul', { className: 'herald-scroll' });
  private readonly result = element('p', { className: 'herald-note', role: 'status' });
  private readonly place: HTMLElement;
  private readonly bar;
  private readonly items = new Map<string, ListRow>();
  readonly below = element('div');
  /** Whether the list scrolls into view with its first speakers. */
  private isSought = false;

  constructor(
    private readonly row: Row,
    private readonly node: EditorNode,
    private readonly options: ListOptions,
  ) {
    this.bar = createSearchBar(node);
    this.list.ariaLabel = node._('fields.speakers.label');
    this.place = element(
      'div',
      { className: 'herald-speakers', hidden: true },
      this.list,
      ...this.bar.parts,
      this.result,
      this.below,
    );
    formRowOf(row.input).append(this.place);
    const stop = speakerSearch.follow(() => this.show());
    const added = (speaker: EditorNode) => {
      if (speaker.type !== SPEAKER || !options.isShown()) return;
      this.choose([...idsIn(row.input.value), speaker.id]);
    };
    const changed = (speaker: EditorNode) => {
      if (speaker.type !== SPEAKER) return;
      const ids = idsIn(row.input.value);
      // A chosen speaker may have got another name, which the row and the summary show.
      if (options.isShown() && ids.includes(speaker.id)) this.choose(ids);
      this.show();
    };
    const end = () => {
      stop();
      RED.events.off('nodes:add', added);
      RED.events.off('nodes:change', changed);
      RED.events.off('nodes:remove', changed);
      RED.events.off('editor:close', end);
    };
    RED.events.on('nodes:add', added);
    RED.events.on('nodes:change', changed);
    RED.events.on('nodes:remove', changed);
    RED.events.on('editor:close', end);
  }

  /** Scrolls the list into view as soon as it is shown, and again with its first speakers. */
  seek(): void {
    this.isSought = true;
  }

  chosen(): EditorNode[] {
    return idsIn(this.row.input.value).flatMap((id) => RED.nodes.node(id) ?? []);
  }

  show(): void {
    const wasHidden = this.place.hidden;
    this.place.hidden = !this.options.isShown();
    if (this.place.hidden) return;
    const listed = listedSpeakers();
    for (const one of listed) this.rowOf(one).update(one);
    arrange(
      this.list,
      listed.map((one) => this.rowOf(one).item),
    );
    this.list.hidden = listed.length === 0;
    this.bar.show(listed.length);
    if (this.isSought) reveal(this.place);
    this.isSought &&= listed.length === 0;
    // A user who has chosen speakers needs no others.
    if (wasHidden && this.chosen().length === 0) speakerSearch.start();
  }

  private choose(ids: readonly string[]): void {
    const { input } = this.row;
    widgetOf(input).typedInput('value', ids.length === 0 ? '' : JSON.stringify([...new Set(ids)]));
    $(input).trigger('change');
  }

  private toggle(listed: ListedSpeaker, isChosen: boolean): void {
    const ids = idsIn(this.row.input.value);
    // The editor reports the new node, which chooses it.
    if ('found' in listed) addSpeaker(listed.found);
    else this.choose(isChosen ? [...ids, listed.node.id] : ids.filter((id) => id !== listed.node.id));
  }

  private rowOf(listed: ListedSpeaker): ListRow {
    const known = this.items.get(listed.key);
    if (known !== undefined) return known;
    const created = this.createRow(listed);
    this.items.set(listed.key, created);
    return created;
  }

  private createRow(first: ListedSpeaker): ListRow {
    let shown = first;
    const { node } = this;
    const check = element('input', { type: 'checkbox' });
    const [name, facts] = [element('span'), element('small')];
    const small = 'red-ui-button-small';
    const test = button({ className: small, title: node._('speakers.test') }, icon('play'));
    const edit = button({ className: small, title: node._('speakers.edit') }, icon('pencil'));
    check.addEventListener('change', () => this.toggle(shown, check.checked));
    test.addEventListener('click', () => void whileBusy(test, () => this.test(shown)));
    edit.addEventListener('click', () => {
      if ('node' in shown) RED.editor.editConfig('', SPEAKER, shown.node.id);
    });
    const label = element('label', {}, check, ' ', name, ' ', facts);
    return {
      item: element('li', {}, label, test, edit),
      update: (listed) => {
        shown = listed;
        name.textContent = listed.name;
        const problem = 'node' in listed ? listed.problem : undefined;
        showStatus(facts, problem ?? speakerFacts(listed, node), problem !== undefined);
        check.checked = 'node' in listed && idsIn(this.row.input.value).includes(listed.node.id);
        edit.hidden = !('node' in listed);
        test.ariaLabel = node._('speakers.test-of', { name: listed.name });
        edit.ariaLabel = node._('speakers.edit-of', { name: listed.name });
      },
    };
  }

  private async test(listed: ListedSpeaker): Promise<void> {
    const { node, result, options } = this;
    const speaker = targetOfListed(listed);
    await testSpeaker(speaker, () => options.typed(speaker), { note: result, texts: node });
  }
}
