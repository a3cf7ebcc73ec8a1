import { lazy, z } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { exactValue } from '../runtime/exact-values.js';
import { propertyOf } from '../runtime/objects.js';
import { type Reader, readProperties } from './properties.js';
import { choiceProperty, type Properties } from './property.js';

/**
 * The queue modes of a new message. They affect earlier messages that have no higher priority: `wait` lets them finish,
 * `replace` drops the waiting ones, `interrupt` also stops the current message.
 */
const queueModes = ['wait', 'replace', 'interrupt'] as const;

export type QueueMode = (typeof queueModes)[number];

/** The request field of the queue mode. */
export const queueMode = lazy(() => z.enum(queueModes).default('wait'));

/** The node property of the queue mode. Flows save it as `order`. */
export const queueModeProperty = choiceProperty('sort', queueModes, { section: 'queue', value: 'wait' });

/**
 * Reads the queue mode of a message. An invalid mode counts as `wait` here: the message fails when the node processes it.
 */
export async function readQueueMode(
  reader: Reader,
  properties: Properties,
  message: NodeMessage,
): Promise<QueueMode> {
  try {
    const { values } = await readProperties(reader, { order: properties['order'] }, message);
    const { order } = values;
    return isQueueMode(order) ? order : 'wait';
  } catch {
    return 'wait';
  }
}

function isQueueMode(value: unknown): value is QueueMode {
  return queueModes.some((mode) => mode === value);
}

/**
 * Returns the queue mode for a node that plays audio: the mode with which the text to speech node processed the message
 * (`msg.speech.order`), or else `msg.order`.
 */
export function playbackQueueMode({ speech, order }: NodeMessage): QueueMode {
  return [propertyOf(speech, 'order'), order].find(isQueueMode) ?? 'wait';
}

/** Returns `msg.priority`, a number or its text. Returns 0 for any other value: other nodes use priorities such as "high". */
export function priorityOf({ priority }: NodeMessage): number {
  const value = exactValue(priority, 'num');
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** Returns whether a message has the field `reset`, with any value, as in the core nodes. */
export const isReset = (message: NodeMessage): boolean => Object.hasOwn(message, 'reset');
