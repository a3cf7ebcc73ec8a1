/**
 * Media players of Home Assistant. An address has the URL of Home Assistant and an entity:
 * `http://homeassistant.local:8123/media_player.kitchen`. As an add-on, Node-RED reaches it as `supervisor/media_player.kitchen`,
 * without a separate token.
 */
import { SpeakerFault } from '../fault.js';
import type { Kind, Place } from '../kind.js';
import { HomeAssistant } from './api.js';
import { MediaPlayer } from './device.js';

/** The address of Home Assistant for its add-ons, and its short form. */
const [SUPERVISOR, SHORT] = ['http://supervisor/core', /^supervisor(?=\/)/];

export const homeAssistant: Kind = {
  unit: 1,
  async *find(signal) {
    const secret = process.env['SUPERVISOR_TOKEN'];
    if (secret === undefined) return;
    const players = await new HomeAssistant(SUPERVISOR, secret).players(signal).catch(() => []);
    for (const { entity, name } of players) yield { name, address: `${SUPERVISOR}/${entity}` };
  },
  async connect(place) {
    const { api, entity } = partsOf(place);
    return new MediaPlayer(api, entity);
  },
};

function partsOf({ address, secret }: Place): { api: HomeAssistant; entity: string } {
  const [, base = '', entity = ''] =
    /^(https?:\/\/.+?)\/*\/(media_player\.\w+)$/.exec(address.replace(SHORT, SUPERVISOR)) ?? [];
  if (entity === '')
    throw new SpeakerFault('speaker-unreachable', {
      problem: 'expected an address such as http://homeassistant.local:8123/media_player.kitchen',
    });
  // The token of the add-on goes to its supervisor only.
  const token = secret || (base === SUPERVISOR ? process.env['SUPERVISOR_TOKEN'] : undefined);
  if (token === undefined) throw new SpeakerFault('speaker-no-token');
  return { api: new HomeAssistant(base, token), entity };
}
