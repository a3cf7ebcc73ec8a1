import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import { SpeechTimeoutError, VoiceError } from '../../../../../../service/voices/engines/engine.js';
import { EspeakChild } from '../../../../../../service/voices/engines/espeak/espeak-child.js';
import {
  NeuralPort,
  servePort,
} from '../../../../../../service/voices/engines/neural/process/neural-port.js';
import { forever } from '../support.js';

const SENTENCE = {
  model: '',
  ids: [1],
  urgency: 'start' as const,
  scales: [0, 1, 0] as [number, number, number],
  speaker: null,
  sampleRate: 22_050,
};

describe('the port of a worker to the neural process', () => {
  for (const Thrown of [SpeechTimeoutError, VoiceError]) {
    it(`passes a ${Thrown.name} on, so that its reply has the right status`, async () => {
      const { port1, port2 } = new MessageChannel();
      const speaker = { speak: () => Promise.reject(new Thrown('the reason')), load: () => undefined };
      servePort(port1, () => ({ speaker, espeak: new EspeakChild() }));
      const port = new NeuralPort(port2);
      port2.ref();
      await assert.rejects(port.speak(SENTENCE, forever), new Thrown('the reason'));
      await port.close();
    });
  }
});
