import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectAudio } from '@herald-speech/client';
import { KEY } from '../../../support/node-red/flow.js';
import type { FlowNode } from '../../../support/node-red/node-red.js';
import { filesIn } from '../../../support/node-red/prompts.js';
import { type Script, type ScriptedServer, spoken } from '../../../support/net/scripted-server.js';

/** Speaks each text with its own duration, so that a file with the audio of another row is found. */
export const numbered: Script = async ({ json }) => {
  await sleep(30);
  const { headers, body } = spoken({ seconds: secondsOf(Number(String(json['text']).split(' ').at(-1))) });
  return { headers: { ...headers, 'x-audio-length': '1' }, body };
};

const secondsOf = (index: number): number => 0.1 + index / 100;

/** A table in CSV. The service `numbered` speaks each row with another duration. */
export function tableOf(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => `Prompt ${index};menu/${index}.wav`);
  return ['text;filename', ...lines].join('\n');
}

/** Returns a flow with the inject node `go`, which starts a run of `table.csv` in `folder` into the folder `out`. */
export const flowOf = (
  server: ScriptedServer,
  folder: string,
  { account = {}, node = {} }: { account?: object; node?: object } = {},
): FlowNode[] => [
  { id: 'tab', type: 'tab', label: 'prompts' },
  {
    id: 'account',
    type: 'herald-account',
    service: 'hosted',
    url: server.url,
    requestsPerMinute: '10000',
    voice_id: 'voice-1',
    language: 'en',
    cache: false,
    credentials: { apiKey: KEY },
    ...account,
  },
  { id: 'go', type: 'inject', z: 'tab', x: 1, y: 1, props: [], wires: [['node']] },
  {
    id: 'node',
    type: 'herald-prompts',
    z: 'tab',
    x: 1,
    y: 1,
    account: 'account',
    csv_file: path.join(folder, 'table.csv'),
    folder: path.join(folder, 'out'),
    wires: [['debug'], [], [], []],
    ...node,
  },
  { id: 'debug', type: 'debug', z: 'tab', x: 1, y: 1, console: true, complete: 'payload', wires: [] },
];

/** Asserts that each file has the whole audio of its row. */
export async function assertComplete(folder: string): Promise<void> {
  for (const name of await filesIn(folder)) {
    const index = Number(path.basename(name, '.wav'));
    const { duration } = inspectAudio(await readFile(path.join(folder, name)));
    assert.ok(Math.abs(duration - secondsOf(index)) < 0.001, `${name}: ${duration}`);
  }
}
