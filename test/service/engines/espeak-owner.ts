import { isMainThread, parentPort } from 'node:worker_threads';
import { EspeakChild } from '../../../service/engines/espeak/espeak-child.js';

/** A process or thread that makes eSpeak speak and tells the number of eSpeak's process; with `stay` it lives on. */
async function own(): Promise<void> {
  const child = new EspeakChild();
  await child.utter({ voice: 'en+man', text: 'Hello.', rate: 175, pitch: 50, range: 50 });
  if (isMainThread) process.stdout.write(`${child.pid}\n`);
  else parentPort?.postMessage(child.pid, []);
  if (process.argv.includes('stay')) setInterval(() => {}, 1000);
}

void own();
