import { isMainThread, parentPort } from 'node:worker_threads';
import { EspeakChild } from '../../../../service/voices/engines/espeak/espeak-child.js';

/** Starts eSpeak's process and sends its process id. With the argument `stay`, this process or thread stays alive. */
async function own(): Promise<void> {
  const child = new EspeakChild();
  await child.utter({ voice: 'en+man', text: 'Hello.', rate: 175, pitch: 50, range: 50 });
  if (isMainThread) process.stdout.write(`${child.pid}\n`);
  else parentPort?.postMessage(child.pid, []);
  if (process.argv.includes('stay')) setInterval(() => {}, 1000);
}

void own();
