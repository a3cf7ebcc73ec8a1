import {
  checkRequest,
  type Client,
  lazy,
  messages,
  type OperationName,
  type SpeechDefaults,
  SpeechError,
  type Text,
  textsOf,
  type VoiceChoice,
  type z,
} from '@herald-speech/client';
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { type Account, useAccount } from '../account/account-node.js';
import { announcer, requestFacts } from './announcer.js';
import { isBlankText } from '../runtime/failure-cause.js';
import { openInbox } from './inbox.js';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { OUTAGE_MS, watchOutage } from '../runtime/outage.js';
import { readParallel } from './parallel.js';
import { readQueueMode } from './queue-mode.js';
import { type Reader, readProperties } from './properties.js';
import { type Properties, type Property } from './property.js';
import type { Turn } from '../runtime/turn.js';

/** The properties of a node as saved in a flow. */
interface SavedNode extends NodeDef {
  account?: unknown;
  [property: string]: unknown;
}

/** Everything that a node needs to process one message. */
export interface AccountTask<Request> extends Turn {
  account: Account;
  /** The account's default voice and language. */
  defaults: SpeechDefaults;
  /** The evaluated and validated properties. */
  request: Request;
  /** The warnings about tags without a value. */
  warnings: readonly Text[];
  /** The message, without `msg.error` of an earlier attempt. */
  message: NodeMessage;
  RED: NodeAPI;
  node: Node;
}

/** The task of a node that sends its own requests. */
export interface Task<Request> extends AccountTask<Request> {
  client: Client;
}

/** The saved properties and the account of a node. */
export interface NodeContext {
  saved: SavedNode;
  /** @throws SpeechError `not-configured` */
  account(): Account;
}

/** A node type: its saved properties, its request and its work on one message. */
export interface NodeDefinition<Schema extends z.ZodObject> {
  type: `herald-${string}`;
  /** Builds the schema of the evaluated properties: an operation's request, plus fields of the node. Called once. */
  request(): Schema;
  /** The saved properties. Each is a field of `request`. */
  properties: { [Field in keyof z.input<Schema>]?: Property };
  /** True if the node speaks. The editor then saves its own language as the default language of a new node, as `locale`. */
  speaks?: boolean;
  /** Properties for the label of an unnamed node. The label shows the first one with a typed value. */
  label?: readonly (keyof z.input<Schema>)[];
  /** The operation without which a service does no work of the node. The dialog marks an account that lacks it. */
  needs?: OperationName;
  /** True if the form shows the text `note` of the node's locale. */
  hasNote?: boolean;
  /**
   * The panel below the form: speaks a sample text, lists the voices that match the filters, clones a voice, or plans and
   * runs the work on a table of prompts.
   */
  below?: 'try' | 'preview' | 'clone' | 'prompts';
  /** Acquires resources for the lifetime of the node, such as an HTTP route. Returns a function that releases them. */
  open?(RED: NodeAPI, node: Node, context: NodeContext): (isRemoved: boolean) => void;
  /** Handles a message that controls the work on others, such as `msg.pause`. Returns whether it did. Must not throw. */
  control?(message: NodeMessage, node: Node): boolean;
  /** Processes one message. Returns the message or messages for the first output; none if all were sent. @throws SpeechError */
  run?(task: Task<z.output<Schema>>): Promise<NodeMessage | NodeMessage[]>;
  /** As `run`, for a node that speaks with `speakWith` and `account.speaker`. This function connects, also to a fallback. */
  speak?(task: AccountTask<z.output<Schema>>): Promise<NodeMessage | NodeMessage[]>;
}

/**
 * Defines a Node-RED node. Properties, account, queue, outputs, status and close work alike in all nodes. The build reads
 * `definition` from the returned function and generates the node's editor page from it.
 */
export function defineNode<Schema extends z.ZodObject>(options: NodeDefinition<Schema>) {
  const definition = { ...options, request: lazy(options.request) };
  const register = (RED: NodeAPI): void => {
    RED.nodes.registerType(definition.type, function (this: Node, saved: SavedNode) {
      RED.nodes.createNode(this, saved);
      attach(RED, this, saved, definition);
    });
  };
  return Object.assign(register, { definition });
}

function attach<Schema extends z.ZodObject>(
  RED: NodeAPI,
  node: Node,
  saved: SavedNode,
  definition: NodeDefinition<Schema>,
): void {
  const reader = { RED, node, saved };
  const { properties }: { properties: Properties } = definition;
  const voiceOf = definition.speaks ? () => readVoice(reader, properties) : undefined;
  const { account, close: closeAccount } = useAccount(RED, saved.account, saved['locale'], voiceOf);
  const close = definition.open?.(RED, node, { saved, account });
  openInbox({
    RED,
    node,
    process: async (message, turn) => perform(definition, { ...reader, account: account() }, message, turn),
    queueModeOf: (message) => readQueueMode(reader, properties, message),
    parallel: () => readParallel(reader, properties),
    control: (message) => definition.control?.(message, node) ?? false,
    announcer: definition.speak && announcer(reader, properties, definition.label?.map(String)),
    async close(isRemoved) {
      close?.(isRemoved);
      await closeAccount();
    },
  });
}

/** Returns the voice and the language of a node, without those that only a message sets. */
async function readVoice(reader: Reader, properties: Properties): Promise<VoiceChoice> {
  const ofVoice = { voice_id: properties['voice_id'], language: properties['language'] };
  const { values } = await readProperties(reader, ofVoice, {});
  const { voice, language } = requestFacts(values);
  return { voice_id: voice, language };
}

async function perform<Schema extends z.ZodObject>(
  definition: NodeDefinition<Schema>,
  { account, ...reader }: Reader & { account: Account },
  original: NodeMessage,
  turn: Turn,
): Promise<NodeMessage | NodeMessage[]> {
  turn.signal.throwIfAborted();
  const { error: _error, ...message } = original;
  const { values, nameOf, emptyTags } = await readProperties(reader, definition.properties, message);
  const warnings = emptyTags.map(emptyTagWarning);
  turn.note({ ...requestFacts(values), warnings });
  const { RED, node } = reader;
  const { defaults } = account;
  try {
    // No value of a field helps if the service lacks the operation.
    if (definition.needs !== undefined) account.checkNeeded?.(definition.needs);
    const request = checkRequest(definition.request(), values, nameOf);
    return await work(definition, { ...turn, account, defaults, request, warnings, message, RED, node });
  } catch (error) {
    throw withFirst(warnings, error);
  }
}

async function work<Schema extends z.ZodObject>(
  { run, speak }: NodeDefinition<Schema>,
  task: AccountTask<z.output<Schema>>,
): Promise<NodeMessage | NodeMessage[]> {
  const { account, node, RED, signal } = task;
  const warn = () => node.warn(localize(RED, say('outage', { minutes: OUTAGE_MS / 60_000 })));
  if (speak !== undefined) return watchOutage(account.speaker, warn, () => speak(task));
  if (run === undefined) throw new Error('a node needs run or speak');
  const client = await account.connect(signal);
  return watchOutage(account.speaker, warn, () => run({ ...task, client }));
}

/** Returns the warning about a tag without a value in a text. */
const emptyTagWarning = (name: string): Text =>
  say('warning-empty', {
    field: 'text',
    tag: `{{${name}}}`,
    optional: `{{#${name}}}{{${name}}}{{/${name}}}`,
  });

/** Names the first warning in the error of a blank text: the text is blank because its only tag has no value. */
function withFirst([warning]: readonly Text[], error: unknown): unknown {
  if (warning === undefined || !(error instanceof SpeechError)) return error;
  const { text: second } = error;
  if (second === undefined || !isBlankText(second)) return error;
  return error.with({ message: clientText('two-failures', { first: warning, second }) });
}

const clientText = textsOf(messages);
