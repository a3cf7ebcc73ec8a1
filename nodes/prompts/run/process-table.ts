import { asSpeechError, SpeechError, type VoiceChoice } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { localize, localizeError } from '../../runtime/localize.js';
import type { PromptPlan } from '../files/plan.js';
import { checkVoice } from './check-voice.js';
import { inputOf, isFromDialog, isInterrupted } from './input.js';
import { forgetRun, saveRun } from './saved-run.js';
import { makerOf } from './rows/maker.js';
import { type NodeState, stateOfNode } from './node-state.js';
import { planPrompts, type PlannedTable } from './plan-prompts.js';
import { PromptRun } from './prompt-run.js';
import type { Input, PromptTask } from './prompt-task.js';
import { type RunReport, reportOf, viewOfReport } from './report.js';
import { type RunSettings, runSettings } from './settings.js';

/**
 * Plans the table of a message, or makes its files.
 * @returns the message with the report
 * @throws SpeechError
 */
export async function processTable(task: PromptTask): Promise<NodeMessage> {
  const state = stateOfNode(task.node.id);
  if (state === undefined) throw new Error('the node is closed');
  state.start();
  try {
    const { RED, request, account, signal } = task;
    const settings = await runSettings(RED, request, account, signal);
    const input = await inputOf(task, settings.folder);
    if (!input.isPartial) state.lastInput = input.rows;
    const plan = () => planTable(task, settings, input);
    const isPlan = request.action === 'plan' && !isFromDialog(task.message);
    const result = isPlan ? await planned(task, plan) : await made(task, { settings, state, input, plan });
    state.end({ report: viewOfReport(result.report) });
    const { report, ...prompts } = result;
    return { ...task.message, payload: report, prompts: { folder: settings.folder, ...prompts } };
  } catch (thrown) {
    const error = asSpeechError(thrown);
    state.end({ error: localizeError(task.RED, error).message });
    throw error;
  }
}

const planTable = (task: PromptTask, settings: RunSettings, input: Input): Promise<PlannedTable> => {
  const { account, defaults, signal, priority } = task;
  const { creditsPerSecond } = account.service();
  const check = async (choice: VoiceChoice) =>
    checkVoice(await account.connect(signal), choice, defaults, { signal, priority });
  return planPrompts(settings, input, { creditsPerSecond, checkVoice: check }, signal);
};

async function planned(task: PromptTask, planning: () => Promise<PlannedTable>) {
  task.onProgress({ state: 'planning' });
  const { plan } = await planning();
  // The user has changed the action since the run was interrupted.
  if (isInterrupted(task.message)) await forgetRun(task.RED, task.node.id);
  return { report: reportOf(task.RED, 'plan', plan), plan: planRows(task, plan) };
}

/** Returns the rows of a plan as plain data. */
const planRows = ({ RED }: PromptTask, { rows }: PromptPlan): object[] =>
  rows.map(({ row: { number, filename, text }, state, seconds, credits, reason }) => ({
    row: number,
    filename,
    text,
    state,
    seconds,
    credits,
    reason: reason && localize(RED, reason),
  }));

interface Making {
  settings: RunSettings;
  state: NodeState;
  input: Input;
  plan(): Promise<PlannedTable>;
}

async function made(
  task: PromptTask,
  { settings, state, input, plan }: Making,
): Promise<{ report: RunReport }> {
  const { RED, node, request, signal, onSpoken } = task;
  const onStart = async () => {
    if (request.resume) await saveRun(task, input, state.context.saved);
  };
  try {
    const run = new PromptRun({ task, settings, state, plan, onStart, maker: () => makerOf(task) });
    const report = await run.run();
    onSpoken({ done: report.made, count: report.made + report.failed.length + report.wrong.length });
    if (request.resume) await forgetRun(RED, node.id);
    return { report };
  } catch (error) {
    if (request.resume && !canContinue(error, signal)) await forgetRun(RED, node.id);
    throw error;
  }
}

/** Whether a failed run can continue after the next start: Node-RED stops the node, or the failure can pass. */
const canContinue = (error: unknown, { aborted, reason }: AbortSignal): boolean =>
  aborted
    ? reason instanceof SpeechError && reason.text?.key === 'node-stopped'
    : asSpeechError(error).route === 'retryable';
