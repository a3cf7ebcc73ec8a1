/** The program that the tests of `Program` call. Its argument is its behaviour: `exit`, `stubborn` or none. */
import process from 'node:process';
import { answerCalls } from '../../../client/base/calls.js';

type Request = { kind: 'echo'; text: string } | { kind: 'hang' } | { kind: 'leave' };

const [, , behaviour] = process.argv;
if (behaviour === 'exit') process.exit(3);
answerCalls<Request>(process, {
  kinds: ['echo', 'hang', 'leave'],
  answer: (request) => {
    if (request.kind === 'leave' && behaviour !== 'stubborn') process.exit(0);
    return request.kind === 'echo' ? { text: request.text } : new Promise(() => undefined);
  },
  failure: (error) => ({ message: String(error) }),
});
process.on('disconnect', () => process.exit());
