import assert from 'node:assert/strict';
import { MopidyPlayer } from '../../speakers/mopidy/player.js';
import { serving } from '../support/net/serve.js';

/** Questions of a second with one each 20 ms, and the commands. */
const MOST_REQUESTS = 60;

describe('a player of Mopidy', () => {
  it('is asked with pauses while a song that it shall continue does not start', () => {
    const methods: string[] = [];
    return serving(
      (request, response) => {
        let body = '';
        request.setEncoding('utf8').on('data', (data: string) => (body += data));
        request.on('end', () => {
          methods.push(/"core\.([\w.]+)"/.exec(body)?.[1] ?? '');
          response.end('{"result":"stopped"}');
        });
      },
      async (base) => {
        await new MopidyPlayer(base).playFrom('1', 30);
        assert.deepEqual([methods.at(0), methods.at(-1)], ['playback.play', 'playback.seek']);
        assert.ok(methods.length > 3 && methods.length <= MOST_REQUESTS, `${methods.length} requests`);
      },
    );
  });
});
