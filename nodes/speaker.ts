import type { Node, NodeAPI, NodeDef } from 'node-red';
import { restoreSpeaker } from './speakers/restore-speaker.js';
import {
  type SavedSpeaker,
  type SpeakerCredentials,
  speakerDefaults as defaults,
  speakerNameOf,
  speakerOf,
} from './speakers/speaker-node.js';

/** A loudspeaker on which _text to speech_ plays. */
function register(RED: NodeAPI): void {
  RED.nodes.registerType(
    'herald-speaker',
    function (this: Node<SpeakerCredentials>, saved: NodeDef & SavedSpeaker) {
      RED.nodes.createNode(this, saved);
      const speaker = () => speakerOf(this.id, saved, this.credentials);
      const node = Object.assign(this, { speakerName: speakerNameOf(this.id, saved), speaker });
      const closed = new AbortController();
      const restored = restoreSpeaker(RED, node, speaker, closed.signal);
      this.on('close', (_removed: boolean, done: () => void) => {
        closed.abort();
        void restored.finally(done);
      });
    },
    { credentials: { secret: { type: 'password' } } },
  );
}

export = Object.assign(register, { defaults });
