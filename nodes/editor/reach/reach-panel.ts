/** The panel "Can my speakers hear me?" of nodes that deliver audio by URL. */
import { debounced, element } from '@herald-speech/browser';
import { accountField } from '../form/account-field.js';
import { selectedAccount, typedUrl } from '../form/players.js';
import { isLiteral, literalOf, onEdit, type Row, type Rows, widgetOf } from '../form/rows.js';
import { addConfigNode, changeNode } from '../lib/config-nodes.js';
import { showStatus } from '../lib/dom.js';
import { callRuntime, errorText, sentence } from '../lib/runtime.js';
import { isEnvironmentVariable } from '../lib/typed-text.js';
import { typedValues } from '../trial/trial-request.js';
import type { ChosenSpeakers } from '../speakers/speakers-row.js';
import { addressTable } from './address-table.js';
import { OpenPort } from './open-port.js';
import { type Report, reportIn, type Verdict, verdictOf } from './report.js';
import { SoundTest } from './sound-test.js';

/** Milliseconds after the last key until the panel checks the base URL. */
const PAUSE_MS = 400;

/**
 * Fills the panel's element if the form has one.
 * @param speakers the chosen speakers, which get the offer of an audio port in their row
 */
export function prepareReach(rows: Rows, node: EditorNode, speakers: ChosenSpeakers | undefined): void {
  const fold = document.querySelector<HTMLDetailsElement>('.herald-more:has(> .herald-reach)');
  const place = fold?.querySelector<HTMLElement>('.herald-reach');
  const row = rows.find(({ field }) => field === 'base_url');
  if (!fold || !place || row === undefined) return;
  const panel = new ReachPanel(fold, place, rows, row, node);
  const check = debounced(() => void panel.check(), PAUSE_MS);
  const output = rows.find(({ field }) => field === 'output');
  const showIfUrl = () => {
    const isUrl = ['url', ''].includes(literalOf(rows, 'output')) || speakers?.isNetworked() === true;
    panel.offerIn(speakers?.isNetworked() === true ? speakers.below : undefined);
    if (isUrl && fold.hidden) check();
    fold.hidden = !isUrl;
  };
  const list = rows.find(({ field }) => field === 'speakers');
  for (const each of [output, list]) if (each !== undefined) onEdit(each, showIfUrl);
  showIfUrl();
  onEdit(row, check);
  const account = accountField();
  if (account !== undefined) $(account).on('change', check);
  fold.addEventListener('toggle', () => panel.toggle());
  // Only a click scrolls: the dialog opens a remembered section too.
  fold.querySelector('summary')?.addEventListener('click', () => requestAnimationFrame(() => panel.scroll()));
}

/** Whether the base URL depends neither on a message nor on a variable. */
const isKnown = (row: Row): boolean => isLiteral(row) && !isEnvironmentVariable(row.input.value.trim());

class ReachPanel {
  private readonly verdict = element('p', { className: 'herald-reach-verdict', role: 'status' });
  private readonly problems = element('ul', { className: 'herald-reach-problems' });
  private readonly leftOut = element('p', { className: 'herald-note' });
  private readonly addresses = element('div');
  /** The place of the offer beside the test sound. */
  private readonly offer = element('div');
  private readonly port: OpenPort;
  private readonly test: SoundTest;
  private report: Report | undefined;
  /** Whether another device has fetched the test sound. A check of the same values keeps this answer. */
  private isReached = false;
  /** The values of the last check as JSON. */
  private checked = '';
  private checks = 0;
  /** Whether the dialog is closed. Its fields change once more while Node-RED removes them. */
  private isOver = false;

  constructor(
    private readonly fold: HTMLDetailsElement,
    place: HTMLElement,
    private readonly rows: Rows,
    private readonly row: Row,
    private readonly node: EditorNode,
  ) {
    this.test = new SoundTest({
      node,
      typed: () => ({ ...typedUrl(rows, node), ...typedValues(rows, ['format']) }),
      cause: () => this.cause(),
      isShown: () => fold.isConnected && fold.open && !fold.hidden,
      onReached: (answer) => this.reached(answer),
    });
    this.port = new OpenPort(
      node,
      selectedAccount,
      (id) => this.addSelected(id),
      () => void this.check(),
    );
    const end = () => {
      this.isOver = true;
      this.test.stop();
      RED.events.off('editor:close', end);
    };
    RED.events.on('editor:close', end);
    this.offer.append(...this.port.parts);
    place.append(this.verdict, this.problems, this.leftOut, this.offer, ...this.test.parts, this.addresses);
  }

  /** Moves the offer of an audio port to another place; undefined: into the panel. */
  offerIn(place: HTMLElement = this.offer): void {
    place.append(...this.port.parts);
  }

  toggle(): void {
    if (this.fold.open) this.test.resume();
    else this.test.stop();
  }

  /** Scrolls an opened panel into view. */
  scroll(): void {
    if (this.fold.open) this.fold.scrollIntoView({ block: 'nearest' });
  }

  /** Asks the runtime for the base URL of the typed values. */
  async check(): Promise<void> {
    if (this.fold.hidden || this.isOver) return;
    this.checks += 1;
    const current = this.checks;
    try {
      const typed = typedUrl(this.rows, this.node);
      // A typed input reports the loss of the focus as an edit, also without a new value.
      this.isReached &&= JSON.stringify(typed) === this.checked;
      this.checked = JSON.stringify(typed);
      const report = reportIn(await callRuntime('reach/addresses', typed));
      if (current === this.checks) this.show(report);
    } catch (error) {
      if (current === this.checks) this.refuse(errorText(error, this.node));
    }
  }

  /** Shows an error in place of the report of former values. */
  private refuse(text: string): void {
    this.report = undefined;
    this.isReached = false;
    this.problems.replaceChildren();
    this.port.show(undefined);
    this.answer({ kind: 'bad', text });
  }

  /**
   * Returns a new account, which stores the port. The node gets it at once, as the port opens at once: Cancel closes no port, and the
   * dialog then gives the same answer again.
   */
  private addSelected(id: string): EditorNode {
    const account = addConfigNode('herald-account', {}, id);
    changeNode(this.node, { account: id });
    RED.nodes.updateConfigNodeUsers(this.node);
    const field = accountField();
    if (field instanceof HTMLSelectElement)
      field.append(element('option', { value: account.id }, RED.utils.getNodeLabel(account)));
    if (field !== undefined) {
      field.value = account.id;
      $(field).trigger('change');
    }
    return account;
  }

  private show(report: Report): void {
    this.report = report;
    if (!this.isReached) this.answer(verdictOf(report, this.node));
    this.problems.replaceChildren(...report.problems.map(({ text }) => element('li', {}, sentence(text))));
    showStatus(this.leftOut, isKnown(this.row) ? '' : this.node._('reach.left-out'));
    this.port.show(report.offer);
    this.addresses.replaceChildren(addressTable(report.addresses, this.node, (url) => this.use(url)));
  }

  private use(url: string): void {
    widgetOf(this.row.input).typedInput('type', 'str');
    $(this.row.input).typedInput('value', url);
    $(this.row.input).trigger('change');
  }

  private reached(answer: Verdict): void {
    this.isReached = true;
    this.answer(answer);
  }

  /** Shows the answer in the panel, and in the heading while the panel is closed. */
  private answer({ kind, text }: Verdict): void {
    this.verdict.textContent = text;
    this.verdict.dataset['state'] = kind;
    const summary = this.fold.querySelector<HTMLElement>('summary > small');
    if (summary === null) return;
    summary.textContent = text;
    summary.title = text;
  }

  private cause(): string {
    const [problem] = this.report?.problems ?? [];
    return problem === undefined ? this.node._('reach.cause') : sentence(problem.text);
  }
}
