import type { SonosPlayer } from './sonos-player.js';

const READ = ['GetTransportInfo', 'GetMediaInfo', 'GetPositionInfo'];

/**
 * Makes a player report its former state for some time after each start of another URI, as real ones do.
 * @param ms milliseconds from the command to play
 */
export function reportLate(player: SonosPlayer, ms: number): void {
  const run = player.run.bind(player);
  let former: Map<string, ReturnType<typeof run>> | undefined;
  player.run = (action, values) => {
    if (action === 'SetAVTransportURI') former = new Map(READ.map((read) => [read, run(read, {})]));
    if (action === 'Play') setTimeout(() => (former = undefined), ms);
    return former?.get(action) ?? run(action, values);
  };
}
