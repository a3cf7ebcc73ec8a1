/** Runs that continue after a restart of Node-RED: a file in the data folder for each run in work. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { isUint8Array } from 'node:util/types';
import { lazy, PRIVATE_FILE, SpeechError, z } from '@herald-speech/client';
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import { dataFolder } from '../../account/connection.js';
import { FileWriter } from '../../output/files/file-writer.js';
import { readBounded } from '../../output/files/files.js';
import { makeOwnFolder } from '../../output/files/own-folder.js';
import type { NodeContext } from '../../lib/define-node.js';
import { localize } from '../../runtime/localize.js';
import { say } from '../../runtime/messages.js';
import { propertyOf } from '../../runtime/objects.js';
import { savedName, type SavedProperties } from '../../lib/property.js';
import { promptProperties } from './fields.js';
import type { Input, PromptTask } from './prompt-task.js';

/** A table has at most 50 MB. Base64 and the escapes of JSON make it larger. */
const MAX_BYTES = 150_000_000;

/** A table in bytes: JSON with a number for each byte would be four times as long. */
const savedBytes = lazy(() => z.object({ base64: z.string() }));

/** A saved run: the input, and the message fields that the properties of the node can read. Neither contains a key. */
const savedRun = () =>
  z.object({
    rows: z.unknown().transform(rowsIn),
    isPartial: z.boolean(),
    message: z.record(z.string(), z.unknown()),
  });

const folderOf = (RED: NodeAPI): string => path.join(dataFolder(RED), 'prompts');
const fileOf = (RED: NodeAPI, node: string): string =>
  path.join(folderOf(RED), `${encodeURIComponent(node)}.json`);

/**
 * Saves a run, so that `continueRun` can continue it.
 * @throws SpeechError `not-configured` without a data folder, `bad-request` if it is not writable
 */
export async function saveRun(
  { RED, node, message, signal }: PromptTask,
  { rows, isPartial }: Input,
  saved: SavedProperties,
): Promise<void> {
  const run = { rows: rowsToSave(rows), isPartial, message: fieldsToSave(message, saved) };
  await makeOwnFolder(folderOf(RED), signal);
  const writer = new FileWriter({ file: fileOf(RED, node.id) }, signal, { mode: PRIVATE_FILE });
  try {
    await writer.open();
    await writer.append(Buffer.from(JSON.stringify(run)));
    await writer.finish(new Uint8Array());
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

const rowsToSave = (rows: unknown): unknown =>
  isUint8Array(rows) ? { base64: Buffer.from(rows).toString('base64') } : rows;

function rowsIn(rows: unknown): unknown {
  const { data } = savedBytes().safeParse(rows);
  return data === undefined ? rows : Buffer.from(data.base64, 'base64');
}

/** Returns the message fields that the properties can read: the fields of their names, and those in their expressions. */
function fieldsToSave(message: NodeMessage, saved: SavedProperties): object {
  const fields = Object.keys(promptProperties).filter((field) => field !== 'rows');
  const expressions = fields.flatMap((field) => expressionOf(saved, field));
  const names = new Set(['topic', '_msgid', ...fields, ...expressions.flatMap(namesIn)]);
  const given = [...names].flatMap((name) =>
    message[name] === undefined || !isJson(message[name]) ? [] : [[name, message[name]]],
  );
  return Object.fromEntries(given);
}

/** Returns the path in the message or the expression of a property. */
function expressionOf(saved: SavedProperties, field: string): string[] {
  const [value, type] = [saved[savedName(field)], saved[`${savedName(field)}Type`]];
  return typeof value === 'string' && (type === 'msg' || type === 'jsonata') ? [value] : [];
}

/** Returns all names in a path or an expression. More names than needed do no harm. */
const namesIn = (expression: string): string[] => expression.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];

/** Whether a value can be saved: the request of an HTTP node, for example, refers to itself. */
function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/** Forgets the saved run of a node. Never rejects. */
export async function forgetRun(RED: NodeAPI, node: string): Promise<void> {
  await rm(fileOf(RED, node), { force: true }).catch(() => undefined);
}

async function readRun(RED: NodeAPI, node: string, signal: AbortSignal) {
  const file = fileOf(RED, node);
  const bytes = await readBounded(file, MAX_BYTES, signal);
  try {
    return savedRun().parse(JSON.parse(Buffer.from(bytes).toString('utf8'), asBuffer));
  } catch (cause) {
    throw new SpeechError('bad-request', say('prompts-damaged-run', { file: JSON.stringify(file) }), {
      cause,
    });
  }
}

const savedBuffer = lazy(() => z.object({ type: z.literal('Buffer'), data: z.array(z.int()) }));

/** A reviver for `JSON.parse` that restores Buffers. */
function asBuffer(_name: string, value: unknown): unknown {
  if (propertyOf(value, 'type') !== 'Buffer') return value;
  const saved = savedBuffer().safeParse(value);
  return saved.success ? Buffer.from(saved.data.data) : value;
}

/**
 * Continues the interrupted run of a node after the flows have started, if the node resumes runs. Otherwise forgets it.
 * @returns a function that stops waiting for the start of the flows
 */
export function continueRun(RED: NodeAPI, node: Node, { saved }: NodeContext): () => void {
  if (!hasRun(RED, node.id)) return () => undefined;
  if (saved['resume'] === false || saved['resume'] === 'false' || saved['resume'] === undefined) {
    void forgetRun(RED, node.id);
    return () => undefined;
  }
  const controller = new AbortController();
  const resume = () => void receiveRun(RED, node, controller.signal);
  RED.events.once('flows:started', resume);
  return () => {
    controller.abort();
    RED.events.off('flows:started', resume);
  };
}

function hasRun(RED: NodeAPI, node: string): boolean {
  try {
    return existsSync(fileOf(RED, node));
  } catch {
    // Without a data folder, no run was saved.
    return false;
  }
}

async function receiveRun(RED: NodeAPI, node: Node, signal: AbortSignal): Promise<void> {
  try {
    const { message, isPartial, rows } = await readRun(RED, node.id, signal);
    if (signal.aborted) return;
    node.log(localize(RED, say('prompts-resumed')));
    // If the message fails, it can be sent back in, because it has the table.
    node.receive({ ...message, prompts: { from: 'interrupted', partial: isPartial, rows } });
  } catch (error) {
    if (signal.aborted) return;
    node.error(error);
    await forgetRun(RED, node.id);
  }
}
