/** The stops of announcements, which reach every open editor. */
import { fieldsOf, listOf, textOf } from '@herald-speech/browser';

/** The topic of `nodes/runtime/activity/activity.ts`. */
const TOPIC = 'herald/silence';

/** A stop by the sidebar, by `msg.reset` or by an interrupt. */
export interface HeardSilence {
  /** The announcements whose sound ends. */
  sounds: ReadonlySet<string>;
  /** The node that `msg.reset` has silenced, or ''. */
  node: string;
  end: 'stopped' | 'interrupted';
}

/** Calls `listener` at each stop. Returns a function that ends this. */
export function onSilence(listener: (silence: HeardSilence) => void): () => void {
  const receive = (_topic: string, data: unknown) => {
    const { sounds, node, end } = fieldsOf(data);
    listener({
      sounds: new Set(listOf(sounds).map(textOf)),
      node: textOf(node),
      end: end === 'interrupted' ? end : 'stopped',
    });
  };
  RED.comms.subscribe(TOPIC, receive);
  return () => RED.comms.unsubscribe(TOPIC, receive);
}
