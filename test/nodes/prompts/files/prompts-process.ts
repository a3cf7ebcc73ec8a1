/**
 * A process that makes the prompt files of a folder. Arguments: `run` or `faults`, the folder.
 * `run` makes 120 files, four at a time, and notes each payment in a file beside the folder.
 * `faults` makes files until the disk is full or the folder is read-only, and prints what happened as JSON.
 */
import { appendFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { lockFolder } from '../../../../nodes/prompts/files/lock.js';
import { removeLeftovers } from '../../../../nodes/prompts/files/leftovers.js';
import { savePrompt } from '../../../../nodes/prompts/files/save-prompt.js';
import type { Manifest } from '../../../../nodes/prompts/files/manifest.js';
import type { PromptRow } from '../../../../nodes/prompts/table/table.js';
import { loadSet } from './killed-set.js';
import { contentOf, planOf, withManifest } from './prompt-set.js';
import { never } from '../../../support/waiting.js';

const [mode, folder = ''] = process.argv.slice(2);
const PARALLEL = 4;

const save = (manifest: Manifest, row: PromptRow, data: Buffer) => {
  const { filename, text } = row;
  const facts = { filename, text, hash: contentOf(row), seconds: 1, voice_id: '', language: 'en' };
  return savePrompt({ folder, manifest }, { ...facts, data }, never);
};

async function run(): Promise<void> {
  const { rows, audioOf } = loadSet();
  const lock = await lockFolder(folder, never);
  await withManifest(folder, async (manifest) => {
    const filenames = [...rows, ...manifest.all()].map(({ filename }) => filename);
    await removeLeftovers(folder, filenames, never);
    const plan = await planOf(folder, manifest, rows);
    process.stdout.write('ready\n');
    const rest = plan.rows.filter(({ state }) => state !== 'unchanged').values();
    const worker = async () => {
      for (const { row } of rest) {
        appendFileSync(`${folder}-paid`, `${row.filename}\n`);
        await save(manifest, row, audioOf(row));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
  });
  await lock.release();
  process.stdout.write('done\n');
}

async function faults(): Promise<void> {
  const { rows } = loadSet();
  const errors: string[] = [];
  const note = (error: unknown) => errors.push(String(error));
  const lock = await lockFolder(folder, never).catch(note);
  await withManifest(folder, async (manifest) => {
    // Each file has a megabyte.
    for (const row of rows.slice(0, 6)) await save(manifest, row, Buffer.alloc(1_000_000)).catch(note);
    for (const row of rows.slice(6, 8)) await save(manifest, row, Buffer.alloc(10)).catch(note);
  });
  if (typeof lock === 'object') await lock.release();
  const states = await withManifest(
    folder,
    async (manifest) => (await planOf(folder, manifest, rows)).counts,
  );
  const names = (await readdir(folder, { recursive: true })).sort();
  process.stdout.write(JSON.stringify({ errors, states, names }));
}

void (mode === 'run' ? run() : faults());
