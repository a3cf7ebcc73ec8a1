import { closeSync, openSync } from 'node:fs';
import { SpeechSynthesis } from '../../../../service/voices/workers/speech.js';

/** A program that speaks while it can open no file, and again when it can. It prints the results. */
async function main(): Promise<void> {
  const speech = await SpeechSynthesis.start([], { size: 1 });
  const delivery = { speed: 1, pitchShift: 0, pitchVariance: 1, duration: 0 };
  const job = {
    engine: 'flite',
    request: { voice: 'slt', language: 'en', text: 'Hello.', delivery },
    encoding: 'none',
  } as const;
  const speak = async () => {
    for await (const _ of speech.speak(job, new AbortController().signal));
    return 'spoken';
  };
  const files = openAll();
  const starved = await speak().catch(codeOf);
  for (const file of files) closeSync(file);
  process.stdout.write(`${starved}, ${await speak().catch(codeOf)}\n`);
  await speech.close();
}

function openAll(files: number[] = []): number[] {
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    return files;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

void main();
