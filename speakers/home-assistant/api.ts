/** Home Assistant's REST API, as far as announcements need it (developers.home-assistant.io, "REST API"). */
import { request } from '../base/http.js';
import { fieldOf, listOf, nameIn, numberOf, textOf } from '../base/values.js';
import { SpeakerFault, unreachable } from '../fault.js';

/** Maximum size of a reply in bytes, and of one with all states of a large house. */
const MAX_BYTES = { reply: 1_000_000, states: 8_000_000 } as const;
/** The feature of players that know announcements (`MediaPlayerEntityFeature.MEDIA_ANNOUNCE`). */
const ANNOUNCES = 1_048_576;

/** What a media player tells. */
export interface PlayerState {
  state: string;
  /** The id of the present audio, which is its URL for audio of a URL; '' if unknown. */
  content: string;
  type: string;
  /** Seconds; undefined if unknown. */
  position: number | undefined;
  /** From 0 to 1; undefined if unknown, such as for many players that are off. */
  volume: number | undefined;
  isMuted: boolean;
  /** Whether the player knows announcements: it plays its music on by itself. */
  announces: boolean;
}

interface Ask {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  signal: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  maxBytes?: number;
}

/** The API with a token. The token never appears in an error. */
export class HomeAssistant {
  /**
   * @param base such as `http://homeassistant.local:8123`
   * @throws SpeakerFault `speaker-refused` for a token that no header can have
   */
  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {
    // The error of an invalid header would name the token.
    if (!/^[\w.~+/=-]+$/.test(token)) throw new SpeakerFault('speaker-refused', { problem: BAD_TOKEN });
  }

  /** Returns the state of a media player. @throws SpeakerFault `speaker-unreachable` also for an entity that does not exist */
  async player(entity: string, signal: AbortSignal): Promise<PlayerState> {
    const reply = await this.ask({ method: 'GET', path: `states/${encodeURIComponent(entity)}`, signal });
    const attributes = fieldOf(reply, 'attributes');
    const attribute = (name: string) => fieldOf(attributes, name);
    const [volume, position] = [attribute('volume_level'), attribute('media_position')];
    return {
      state: textOf(fieldOf(reply, 'state')),
      content: textOf(attribute('media_content_id')),
      type: textOf(attribute('media_content_type')),
      position: typeof position === 'number' ? position : undefined,
      volume: typeof volume === 'number' ? volume : undefined,
      isMuted: attribute('is_volume_muted') === true,
      announces: (numberOf(attribute('supported_features')) & ANNOUNCES) !== 0,
    };
  }

  /**
   * Calls a service such as `media_player.play_media` for an entity. Home Assistant replies with 200 for an entity that does not exist.
   * @param timeout milliseconds
   */
  async call(
    service: string,
    entity: string,
    { timeout, ...data }: { timeout: number } & Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<void> {
    const path = `services/${service.replace('.', '/')}`;
    await this.ask({ method: 'POST', path, body: { entity_id: entity, ...data }, signal, timeout });
  }

  /** Returns the media players with their names. */
  async players(signal: AbortSignal): Promise<{ entity: string; name: string }[]> {
    const states = await this.ask({ method: 'GET', path: 'states', signal, maxBytes: MAX_BYTES.states });
    return listOf(states).flatMap((state) => {
      const entity = textOf(fieldOf(state, 'entity_id'));
      const name = nameIn(textOf(fieldOf(fieldOf(state, 'attributes'), 'friendly_name')));
      return /^media_player\.\w+$/.test(entity) ? [{ entity, name: name || entity }] : [];
    });
  }

  private async ask({ path, body, maxBytes = MAX_BYTES.reply, ...options }: Ask): Promise<unknown> {
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
    const sent = { ...options, headers, maxBytes, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const { status, body: reply } = await request(`${this.base}/api/${path}`, sent).catch(
      (error: unknown) => {
        throw unreachable(error);
      },
    );
    if (status === 401) throw new SpeakerFault('speaker-refused', { problem: BAD_TOKEN });
    if (status === 404)
      throw new SpeakerFault('speaker-unreachable', { problem: 'Home Assistant has no such media player' });
    if (status !== 200 && status !== 201)
      throw new SpeakerFault('speaker-refused', { problem: `Home Assistant replied with ${status}` });
    try {
      return JSON.parse(reply);
    } catch (error) {
      throw new SpeakerFault(
        'speaker-unreachable',
        { problem: 'no Home Assistant at this address' },
        { cause: error },
      );
    }
  }
}

const BAD_TOKEN = 'Home Assistant does not accept the token';
