import { withoutMarks } from '@herald-speech/client';
import type { NodeMessage } from 'node-red';
import { type Reader, readProperties } from './properties.js';
import { savedName, type Properties } from './property.js';
import { priorityOf } from './queue-mode.js';
import { activityOf } from '../runtime/activity/activity.js';
import {
  type AnnouncementEntry,
  type AnnouncementFacts,
  type AnnouncingNode,
  recordedText,
} from '../runtime/activity/announcement.js';

/** Records the messages of a node that speaks, and ends their sounds. */
export interface Announcer {
  /** @param stop stops only this message */
  add(message: NodeMessage, stop: () => void): AnnouncementEntry;
  /** Ends the sounds of all messages. */
  silence(): void;
  /** Ends the sounds of earlier messages, unless their priority is higher. */
  interrupt(by: AnnouncementEntry): void;
}

/** @param label the properties that the label of a node without a name shows */
export function announcer(reader: Reader, properties: Properties, label: readonly string[] = []): Announcer {
  const activity = activityOf(reader.RED);
  const node = announcingNode(reader, label);
  return {
    add(message, stop) {
      const preview = () => previewOf(reader, properties, message);
      return activity.add(node, { preview, stop, priority: priorityOf(message) });
    },
    silence: () => activity.sounds.stopNode(node.node),
    interrupt: ({ sound }) => activity.sounds.interrupt(sound),
  };
}

/**
 * Returns the ids and the label of a node. Node-RED stores the id of the original node in `_alias`, which its types do not declare.
 */
function announcingNode({ node, saved }: Reader, label: readonly string[]): AnnouncingNode {
  const template: unknown = Reflect.get(node, '_alias');
  const names = label.map(savedName).flatMap((name) => [name, `${name}Type`]);
  const ofLabel = names.flatMap((name) => {
    const value = saved[name];
    return typeof value === 'string' ? [[name, recordedText(value)] as const] : [];
  });
  const ids = { node: node.id, ...(typeof template === 'string' && { template }) };
  return { ...ids, name: node.name ?? '', saved: Object.fromEntries(ofLabel) };
}

async function previewOf(
  reader: Reader,
  { text, csv_file, folder }: Properties,
  message: NodeMessage,
): Promise<string> {
  const { values } = await readProperties(reader, { text, csv_file, folder }, message);
  return requestFacts(values).text ?? '';
}

/**
 * Returns the text, the voice and the language of evaluated properties that are not validated yet. A table has the path of its file
 * or folder in place of a text.
 */
export function requestFacts({
  voice_id,
  language,
  ...values
}: Readonly<Record<string, unknown>>): AnnouncementFacts {
  const texts = [values['text'], values['csv_file'], values['folder']];
  const text = texts.find((value) => typeof value === 'string' || typeof value === 'number');
  return {
    ...(text !== undefined && { text: withoutMarks(String(text)) }),
    ...(typeof voice_id === 'string' && { voice: voice_id }),
    ...(typeof language === 'string' && { language }),
  };
}
