import { longSpeech } from './speech.js';

const loaded = {
  /** A speech request with a text of any length, as `speak` and `predict` accept it. The schema is built on first use. */
  get speechRequest(): ReturnType<typeof longSpeech> {
    return longSpeech();
  },
};

// TypeScript has no other syntax for a value that is built when another module first reads it.
export = loaded;
