import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import type { Flow, FlowNode, FlowOptions, Message } from './flow.js';
import { speechNode, watchers, withHostedFlow } from './flow.js';
import type { Script, ScriptedServer } from '../net/scripted-server.js';

const report = z.strictObject({
  action: z.enum(['run', 'plan']),
  rows: z.number(),
  made: z.number(),
  cached: z.number(),
  unchanged: z.number(),
  failed: z.array(
    z.strictObject({ row: z.number(), filename: z.string(), code: z.string(), message: z.string() }),
  ),
  wrong: z.array(z.strictObject({ row: z.number(), filename: z.string(), problems: z.array(z.string()) })),
  gone: z.array(z.string()),
  deleted: z.array(z.string()),
  seconds: z.number(),
  chargedSeconds: z.number().optional(),
  credits: z.number().optional(),
  index: z.array(z.string()),
  warnings: z.array(z.string()),
});

/** Returns the report of a message after a check of its shape. */
export const reportOf = ({ payload }: Message) => report.parse(payload);

/** The rows of a table: `a.wav`, `b.wav` and so on. */
export const tableOf = (...texts: string[]): { text: string; filename: string }[] =>
  texts.map((text, index) => ({ text, filename: `${String.fromCodePoint(97 + index)}.wav` }));

/** A prompts node with its folder and a scripted service. */
export interface PromptsFlow {
  flow: Flow;
  server: ScriptedServer;
  /** Absolute path of the folder of the node. */
  folder: string;
  /** Sends a table, and resolves with the report of the run. */
  run(payload: unknown, fields?: object): Promise<ReturnType<typeof reportOf>>;
  /** Returns the sorted relative paths of the prompt files, without hidden files. */
  files(): Promise<string[]>;
}

export interface PromptsOptions extends FlowOptions {
  node?: object;
  more?: FlowNode[];
}

/** Runs `work` with a prompts node `node` whose account uses a scripted service. */
export async function withPrompts<Result>(
  script: Script,
  work: (prompts: PromptsFlow) => Promise<Result>,
  { node = {}, more = [], ...options }: PromptsOptions = {},
): Promise<Result> {
  return inFolder((folder) => {
    const nodes = [speechNode('prompts', { folder, retry_attempts: '1', ...node }), ...watchers, ...more];
    return withHostedFlow(
      script,
      nodes,
      (flow, server) => work({ ...actionsOf(flow, folder), flow, server, folder }),
      options,
    );
  });
}

function actionsOf(flow: Flow, folder: string): Pick<PromptsFlow, 'run' | 'files'> {
  return {
    async run(payload, fields = {}) {
      flow.send('node', { payload, ...fields });
      return reportOf(await flow.out('done'));
    },
    files: () => filesIn(folder),
  };
}

/** Runs `work` with a temporary folder. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-prompts-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the sorted relative paths of the files in a folder, without hidden files. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}
