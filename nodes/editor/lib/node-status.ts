/** Shows the statuses of Herald's nodes in the language of the editor: Node-RED shows them in its own language. */
import { type Fields, fieldsOf, textOf } from '@herald-speech/browser';

/** The topic of the statuses, followed by the id of a node (`nodes/runtime/status.ts`). */
const TOPIC = 'herald/status/#';

/** Follows the statuses, again after each load of the flows: statuses for nodes that do not exist yet are lost. */
export function startStatuses(): void {
  subscribe();
  RED.events.on('flows:loaded', resubscribe);
}

/** Ends `startStatuses`. */
export function stopStatuses(): void {
  RED.events.off('flows:loaded', resubscribe);
  RED.comms.unsubscribe(TOPIC, receive);
}

/** Subscribes after Node-RED, which does so behind this event. Its own text for a status must come before. */
const resubscribe = (): void => void setTimeout(subscribe);

/** Subscribes once. Node-RED then sends the last status of each node. */
function subscribe(): void {
  RED.comms.unsubscribe(TOPIC, receive);
  RED.comms.subscribe(TOPIC, receive);
}

function receive(topic: string, data: unknown): void {
  const node = RED.nodes.node(topic.split('/').at(-1) ?? '');
  const { texts, ...status } = fieldsOf(data);
  if (texts !== undefined) showNodeStatus(node, { ...status, text: textIn(fieldsOf(texts)) });
}

/** Returns the text in the language of the dialogs: each catalogue contains the code of its language. */
function textIn(texts: Fields): string {
  const language = RED._('@herald-speech/node-red/herald-account:runtime.locale', { defaultValue: 'en' });
  return textOf(texts[language] ?? texts['en']);
}

/** Sets the status of a node in this editor only: other editors can be muted. */
export function showNodeStatus(node: EditorNode | null | undefined, status: object): void {
  if (!node) return;
  Object.assign(node, { status, dirtyStatus: true, dirty: true });
  RED.view.redrawStatus(node);
}
