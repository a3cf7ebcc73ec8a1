import { abridged, asSpeechError, sniffAudio, SpeechError } from '@herald-speech/client';
import type { Request, Response } from 'express';
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red';
import { type Clip, Clips } from './output/clips.js';
import { type Order, orderIn, priorityOf } from './runtime/queue-mode.js';
import { forCatch } from './runtime/ports.js';

/** The topic on which open editors hear of audio; what they get is an `Announcement` or `Silence`. */
const TOPIC = 'herald/listen';

/** Whose audio it is: the node, and the one in the editor that it was made from where that is inside a subflow. */
interface Speaker {
  node: string;
  template?: string;
}

/** Told to every open editor: where the audio is. A clip is fetched with the editor's own permission. */
interface Announcement extends Speaker {
  clip?: string;
  url?: string;
  /** What it does to those of its node before it, but for those of a higher priority. */
  order: Order;
  priority: number;
}

/** Told instead of audio: the node is to be silent now. */
interface Silence extends Speaker {
  reset: true;
}

const mimes = { wav: 'audio/wav', mp3: 'audio/mpeg' } as const;

/** Plays `msg.payload` in the open editor, as debug shows a value. */
function register(RED: NodeAPI): void {
  const clips = new Clips();
  RED.httpAdmin.get(
    '/herald/listen/:clip',
    RED.auth.needsPermission('herald.read'),
    (request: Request, response: Response) => {
      const clip = clips.find(String(request.params['clip']));
      if (clip === undefined) response.status(404).json({ message: 'this audio is not held any more' });
      else response.type(clip.mime).set('Cache-Control', 'no-store').send(Buffer.from(clip.audio));
    },
  );
  RED.nodes.registerType('herald-listen', function (this: Node, saved: NodeDef) {
    RED.nodes.createNode(this, saved);
    this.on('input', (message, _send, done) => {
      try {
        RED.comms.publish(TOPIC, toldOf(message, speakerOf(this), clips), false);
        done();
      } catch (error) {
        done(forCatch(asSpeechError(error)));
      }
    });
  });
}

/** Node-RED keeps the template of a node inside a subflow on the node, without telling of it in its types. */
function speakerOf(node: Node): Speaker {
  const template: unknown = Reflect.get(node, '_alias');
  return { node: node.id, ...(typeof template === 'string' && { template }) };
}

/** @throws SpeechError `bad-request` for a payload that no browser plays */
function toldOf(message: NodeMessage, speaker: Speaker, clips: Clips): Announcement | Silence {
  if (message['reset']) return { ...speaker, reset: true };
  const audio = playable(message.payload, clips);
  return { ...speaker, ...audio, order: orderIn(message), priority: priorityOf(message) };
}

/** @throws SpeechError `bad-request` for a payload that no browser plays */
function playable(payload: unknown, clips: Clips): Pick<Announcement, 'clip' | 'url'> {
  if (payload instanceof Uint8Array) return { clip: clips.hold(clipOf(payload)) };
  if (typeof payload === 'string' && isPlayableUrl(payload)) return { url: payload };
  throw new SpeechError(
    'bad-request',
    `payload is ${abridged(payload)}: expected a Buffer with WAV or MP3 audio, or the URL of some`,
  );
}

function clipOf(audio: Uint8Array): Clip {
  const format = sniffAudio(audio);
  if (format === undefined) {
    throw new SpeechError('bad-request', `payload is ${abridged(audio)}: expected WAV or MP3 audio`);
  }
  return { audio, mime: mimes[format] };
}

/** An address in the web, or a path on this Node-RED; browsers read `/\` as `//`, which begins a host. */
function isPlayableUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) ? URL.canParse(url) : /^\/(?![/\\])/.test(url);
}

export = Object.assign(register, { defaults: { name: '' } });
