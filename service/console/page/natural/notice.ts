/** Explains why the service cannot install a natural voice or speak with it, with the fix. */
import { make } from '../dom.js';
import type { NaturalVoices } from './natural-voice.js';

/** Returns paragraphs with the problems of the service. Empty if it has none. */
export function problemsOf({ engineHint, folder, isWritable }: NaturalVoices): HTMLElement[] {
  const problems: HTMLElement[] = [];
  if (engineHint !== undefined) problems.push(withoutEngine(engineHint));
  if (!isWritable) problems.push(readOnly(folder));
  return problems;
}

function withoutEngine(hint: string): HTMLElement {
  return make(
    'p',
    {},
    ...withCode(hint),
    ' Run the command in the folder of Herald, and restart the service or Node-RED.',
  );
}

/** Shows the quoted parts of a text as code. */
function withCode(text: string): Node[] {
  return text.split('"').map((part, index) => {
    return index % 2 === 1 ? make('code', {}, part) : document.createTextNode(part);
  });
}

function readOnly(folder: string): HTMLElement {
  return make(
    'p',
    {},
    'The service cannot write to the voice folder ',
    make('code', {}, folder),
    '. Give its user write access, or start the service with another folder: ',
    make('code', {}, '--voices DIR'),
  );
}
