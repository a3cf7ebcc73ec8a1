import path from 'node:path';
import { SpeechSynthesis } from '../../../../service/voices/workers/speech.js';

/** A program whose only worker blocks in native code. Its test kills it. */
async function main(): Promise<void> {
  const speech = await SpeechSynthesis.start([path.join(__dirname, '../engines/plug-ins/misbehaving.cjs')], {
    size: 1,
  });
  const delivery = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };
  const request = { voice: 'block', language: 'en', text: 'Hello.', delivery };
  const job = { engine: 'misbehaving', request, encoding: 'none' } as const;
  for await (const _ of speech.speak(job, new AbortController().signal));
}

void main();
