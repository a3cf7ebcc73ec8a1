import type { Node, NodeAPI, NodeDef } from 'node-red';
import {
  type SavedSpeaker,
  type SpeakerCredentials,
  speakerDefaults as defaults,
  speakerOf,
} from './speakers/speaker-node.js';

/** A loudspeaker on which _text to speech_ plays. */
function register(RED: NodeAPI): void {
  RED.nodes.registerType(
    'herald-speaker',
    function (this: Node<SpeakerCredentials>, saved: NodeDef & SavedSpeaker) {
      RED.nodes.createNode(this, saved);
      Object.assign(this, { speaker: () => speakerOf(this.id, saved, this.credentials) });
    },
    { credentials: { secret: { type: 'password' } } },
  );
}

export = Object.assign(register, { defaults });
