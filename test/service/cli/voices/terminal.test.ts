import assert from 'node:assert/strict';
import { Terminal } from '../../../../service/cli/voices/terminal.js';

/** Collects the output of a terminal with 60 columns, or of a file. */
class Output {
  text = '';
  readonly columns = 60;

  constructor(readonly isTTY: boolean) {}

  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

const CLEAR = '\u001B[K';

describe('the progress of an installation', () => {
  const download = (bytes: number) => ({ phase: 'download', bytes, total: 60_000_000 }) as const;

  it('stays in one line of a terminal, which fits its width, and is cleared before a message', () => {
    const output = new Output(true);
    const terminal = new Terminal(output);
    terminal.progress('de_DE-thorsten_emotional-medium', download(30_000_000));
    assert.match(output.text, /^\rde_DE-thorsten_emotional-medium {2}download \[#+/);
    assert.ok(output.text.length <= '\r'.length + 59 + CLEAR.length);
    assert.ok(!output.text.includes('\n'));
    terminal.say('done');
    assert.ok(output.text.endsWith(`\r${CLEAR}done\n`));
  });

  it('shows share and size', () => {
    const output = new Output(true);
    new Terminal(output).progress('stub', download(15_000_000));
    assert.match(output.text, /^\rstub {2}download \[#{6}-{18}\] {2}25 % of 60 MB/);
  });

  it('limits the updates of the line, and always shows the end', () => {
    const output = new Output(true);
    const terminal = new Terminal(output);
    for (let bytes = 0; bytes <= 60_000_000; bytes += 10_000) terminal.progress('stub', download(bytes));
    assert.ok(output.text.split('\r').length < 100);
    assert.match(output.text, /100 % of 60 MB\S*$/);
  });

  it('is one line for each phase in a file', () => {
    const output = new Output(false);
    const terminal = new Terminal(output);
    terminal.progress('stub', { phase: 'card', bytes: 0, total: 1 });
    for (const bytes of [0, 20_000_000, 60_000_000]) terminal.progress('stub', download(bytes));
    terminal.progress('stub', { phase: 'check', bytes: 1, total: 1 });
    terminal.progress('stub', { phase: 'measure', bytes: 0, total: 0 });
    assert.equal(output.text, 'stub: download of 60 MB\nstub: check\nstub: speed\n');
  });
});
