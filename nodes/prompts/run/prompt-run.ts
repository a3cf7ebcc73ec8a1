import path from 'node:path';
import { asSpeechError, SpeechError } from '@herald-speech/client';

import { deleteGone } from '../files/gone-files.js';
import { removeLeftovers } from '../files/leftovers.js';
import { type FolderLock, lockFolder, UNTIL_DEAD_MS } from '../files/lock.js';
import type { PlannedRow } from '../files/plan.js';
import { isToMake } from '../files/plan-run.js';
import type { PromptFile } from '../files/prompt-file.js';
import { savePrompt } from '../files/save-prompt.js';
import { writeIndex } from '../files/write-index.js';
import { withColumns } from '../table/columns.js';
import type { AnyRow } from '../table/table.js';
import type { NodeMessage } from 'node-red';
import { localize } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { checkBudget } from './check-budget.js';
import { endsRun, FolderError } from './ends-run.js';
import { makeAll } from './rows/make-all.js';
import type { Maker } from './rows/maker.js';
import type { NodeState } from './node-state.js';
import { isInterrupted } from './input.js';
import type { PlannedTable } from './plan-prompts.js';
import { RemainingTime } from './rows/remaining-time.js';
import { countFailed, countMade, noteWarnings, type RunReport, reportOf, wrongRows } from './report.js';
import type { PromptTask } from './prompt-task.js';
import type { RunSettings } from './settings.js';
import type { MadeRow } from './rows/task.js';

/** The run of one table: its dependencies. */
interface RunContext {
  task: PromptTask;
  settings: RunSettings;
  state: NodeState;
  /** Starts the maker of the rows, after all checks. */
  maker(): Maker;
  /** Plans the table. Called when the folder is locked. */
  plan(): Promise<PlannedTable>;
  /** Called after all checks, before the first paid request. */
  onStart(): Promise<void>;
}

/** Makes the files of a table. */
export class PromptRun {
  private report: RunReport | undefined;
  private toMake: readonly PlannedRow[] = [];
  private columns: readonly string[] = [];
  private remaining: RemainingTime | undefined;

  constructor(private readonly context: RunContext) {}

  /**
   * Plans the table, checks everything that can be checked without a charge, then makes the new and changed files.
   * @throws SpeechError if nothing was made, or the reason of the signal. The failed message then has the report so far.
   */
  async run(): Promise<RunReport> {
    const { settings, task } = this.context;
    const patience = isInterrupted(task.message) ? UNTIL_DEAD_MS : undefined;
    const lock = await lockFolder(settings.folder, task.signal, patience);
    try {
      return await this.inFolder(lock);
    } finally {
      await lock.release();
    }
  }

  private async inFolder(lock: FolderLock): Promise<RunReport> {
    const { task, plan, onStart } = this.context;
    task.onProgress({ state: 'planning' });
    const planned = await plan();
    const { manifest } = planned;
    this.report = reportOf(task.RED, 'run', planned.plan);
    this.toMake = planned.plan.rows.filter(isToMake);
    this.columns = planned.table.columns;
    const { damagedLines: count } = manifest;
    if (count > 0) this.report.warnings.push(localize(task.RED, say('prompts-damaged-lines', { count })));
    try {
      await this.prepare(planned);
      await onStart();
      await this.sendWrong(planned);
      await this.makeRows(planned, lock, this.report);
      if (await isHeld(lock)) await this.finish(planned, this.report);
      return this.report;
    } catch (error) {
      const { prompts } = task.message;
      const former = typeof prompts === 'object' && prompts !== null ? prompts : {};
      task.addDetails({ prompts: { ...former, folder: this.context.settings.folder, report: this.report } });
      throw error;
    } finally {
      await manifest.close(await isHeld(lock));
    }
  }

  /** Checks the budget, and removes files of killed runs. */
  private async prepare({ plan, manifest, table }: PlannedTable): Promise<void> {
    const { task, settings } = this.context;
    await checkBudget(task.account, plan);
    const names = [...table.rows, ...manifest.all()].map(({ filename }) => filename);
    await removeLeftovers(settings.folder, names, task.signal);
  }

  private async sendWrong({ plan }: PlannedTable): Promise<void> {
    for (const { given, problems } of wrongRows(plan)) {
      const [problem] = problems;
      if (problem !== undefined) await this.sendFailed([given], new SpeechError('bad-request', problem));
    }
  }

  /** Sends rows that can be sent back in. */
  private sendFailed(rows: readonly AnyRow['given'][], error: SpeechError): Promise<void> {
    const { task } = this.context;
    const payload = rows.map((given) => withColumns(given, this.columns));
    return task.sendFailed(this.messageOf(payload, { partial: true }), error);
  }

  private async makeRows({ manifest }: PlannedTable, lock: FolderLock, report: RunReport): Promise<void> {
    const { task, state } = this.context;
    const { gate } = state;
    const work = () => performance.now() - gate.pausedMs;
    this.remaining = new RemainingTime(this.toMake.length, task.account.service().requestsPerMinute, work);
    gate.onChange = () => this.showProgress(report);
    this.showProgress(report);
    const end = await this.withMaker((maker) => this.makeAll(maker, { manifest, lock }, report));
    if (end === undefined) return;
    countFailed(report, task.RED, end.rows, end.error);
    const given = end.rows.map(({ row }) => row.given);
    const values = { failure: end.error.text ?? end.error.message };
    if (given.length > 0)
      await this.sendFailed(given, end.error.with({ message: say('prompts-rows-left', values) }));
  }

  private async withMaker<Result>(work: (maker: Maker) => Promise<Result>): Promise<Result> {
    const maker = this.context.maker();
    try {
      return await work(maker);
    } finally {
      maker.close();
    }
  }

  private makeAll({ make, parallel }: Maker, owned: OwnedFolder, report: RunReport) {
    const { task, state, settings } = this.context;
    return makeAll(this.toMake, {
      parallel,
      gate: state.gate,
      signal: task.signal,
      endsRun,
      make: async (planned) => {
        const made = await make(settings.taskOf(planned.row), task.signal, () => undefined);
        await this.save(planned, made, owned);
        countMade(report, made, task.account.service().creditsPerSecond);
        noteWarnings(report, task.RED, planned.row.filename, made.warnings);
        this.ended(report);
        await this.sendFile(planned, made, report);
      },
      onFailed: async (planned, error) => {
        countFailed(report, task.RED, [planned], error);
        this.ended(report);
        await this.sendFailed([planned.row.given], error);
      },
    });
  }

  /** @throws SpeechError that ends the run: a full or read-only disk would also refuse the next file */
  private async save({ row, hash }: PlannedRow, made: MadeRow, { manifest, lock }: OwnedFolder) {
    const { settings, task } = this.context;
    const { data, seconds, voice_id, language } = made;
    const file = { filename: row.filename, hash, text: row.text, seconds, voice_id, language, data };
    try {
      await lock.check();
      await savePrompt({ folder: settings.folder, manifest }, file, task.signal);
    } catch (thrown) {
      task.signal.throwIfAborted();
      throw new FolderError(asSpeechError(thrown));
    }
  }

  private ended(report: RunReport): void {
    this.remaining?.ended();
    this.showProgress(report);
  }

  private showProgress({ made, cached, failed }: RunReport): void {
    const { task, state } = this.context;
    const secondsLeft = this.remaining?.secondsLeft;
    const rows = { done: made + failed.length, count: this.toMake.length };
    state.progress({ ...rows, made, cached, failed: failed.length, secondsLeft });
    task.onProgress({ state: state.gate.isPaused ? 'paused' : 'rows', ...rows, secondsLeft });
  }

  private async sendFile({ row }: PlannedRow, made: MadeRow, report: RunReport): Promise<void> {
    const { task, settings } = this.context;
    if (!task.request.each_file) return;
    const { seconds, cached, charged } = made;
    const counts = { done: report.made + report.failed.length, count: this.toMake.length };
    const prompts = { row: row.number, filename: row.filename, seconds, cached, charged, ...counts };
    await task.send(this.messageOf(path.join(settings.folder, row.filename), prompts));
  }

  /** Returns the message of a row. It lacks the table: a copy for each row would take quadratic time. */
  private messageOf(payload: unknown, prompts: object): NodeMessage {
    const { task, state } = this.context;
    const { rows, rowsType } = state.context.saved;
    const [field = ''] = rowsType === 'msg' && typeof rows === 'string' ? rows.split(/[.[]/) : [];
    const { [field]: _table, ...others } = task.message;
    return { ...others, payload, prompts };
  }

  /** Deletes gone files if the user chose so, forgets lost ones, and writes the indexes. */
  private async finish({ plan, table, manifest }: PlannedTable, report: RunReport): Promise<void> {
    const { task, settings } = this.context;
    const { gone, index_csv: csv, index_html: html } = task.request;
    if (gone === 'delete') {
      report.deleted = await deleteGone(settings.folder, plan, manifest, task.signal);
      const values = { count: plan.gone.length, wrong: plan.wrong.length };
      if (values.count > 0 && values.wrong > 0)
        report.warnings.push(localize(task.RED, say('prompts-gone-kept', values)));
    }
    if (!plan.isPartial) await manifest.remove(plan.lost);
    if (!csv && !html) return;
    const files = inTableOrder(manifest.all(), table.rows);
    const options = {
      csv,
      html,
      title: task.node.name || path.basename(settings.folder),
      translator: task.RED,
    };
    report.index = await writeIndex(settings.folder, files, options, task.signal);
  }
}

/** The manifest of a folder, and its lock. */
interface OwnedFolder {
  manifest: PlannedTable['manifest'];
  lock: FolderLock;
}

const isHeld = (lock: FolderLock): Promise<boolean> =>
  lock.check().then(
    () => true,
    () => false,
  );

/** Returns the files in the order of the rows; the other files follow. */
function inTableOrder(files: readonly PromptFile[], rows: readonly { filename: string }[]): PromptFile[] {
  const places = new Map(rows.map(({ filename }, index) => [filename, index]));
  const placeOf = ({ filename }: PromptFile) => places.get(filename) ?? rows.length;
  return [...files].sort((one, other) => placeOf(one) - placeOf(other));
}
