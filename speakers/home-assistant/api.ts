/** Home Assistant's REST API, as far as announcements need it (developers.home-assistant.io, "REST API"). */
import { request } from '../base/http.js';
import { fieldOf, numberOf, textOf } from '../base/values.js';
import { SpeakerFault, unreachable } from '../fault.js';

/** Maximum size of a reply in bytes: the states of a large house. */
const MAX_BYTES = 8_000_000;
/** Milliseconds of a service call. Some players answer only after they have fetched the audio. */
const CALL_MS = 4000;

/** What a media player tells. */
export interface PlayerState {
  state: string;
  /** The id of the present audio, which is its URL for audio of a URL. */
  content: string;
  type: string;
  /** Seconds; 0 if unknown. */
  position: number;
  duration: number;
  /** From 0 to 1; undefined if unknown. */
  volume: number | undefined;
  isMuted: boolean;
}

/** The API with a token. The token never appears in an error. */
export class HomeAssistant {
  /** @param base such as `http://homeassistant.local:8123` */
  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  /** Returns the state of a media player. @throws SpeakerFault `speaker-unreachable` also for an entity that does not exist */
  async player(entity: string, signal: AbortSignal): Promise<PlayerState> {
    const reply = await this.ask('GET', `states/${encodeURIComponent(entity)}`, undefined, signal);
    const attributes = fieldOf(reply, 'attributes');
    const attribute = (name: string) => fieldOf(attributes, name);
    const volume = attribute('volume_level');
    return {
      state: textOf(fieldOf(reply, 'state')),
      content: textOf(attribute('media_content_id')),
      type: textOf(attribute('media_content_type')),
      position: numberOf(attribute('media_position')),
      duration: numberOf(attribute('media_duration')),
      volume: typeof volume === 'number' ? volume : undefined,
      isMuted: attribute('is_volume_muted') === true,
    };
  }

  /** Calls a service such as `media_player.play_media` for an entity. */
  async call(service: string, entity: string, data: object, signal: AbortSignal): Promise<void> {
    const body = { entity_id: entity, ...data };
    await this.ask(
      'POST',
      `services/${service.replace('.', '/')}`,
      body,
      AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
    );
  }

  /** Returns the media players with their names. */
  async players(signal: AbortSignal): Promise<{ entity: string; name: string }[]> {
    const states = await this.ask('GET', 'states', undefined, signal);
    return (Array.isArray(states) ? states : []).flatMap((state: unknown) => {
      const entity = textOf(fieldOf(state, 'entity_id'));
      const name = textOf(fieldOf(fieldOf(state, 'attributes'), 'friendly_name'));
      return entity.startsWith('media_player.') ? [{ entity, name: name || entity }] : [];
    });
  }

  private async ask(
    method: 'GET' | 'POST',
    path: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<unknown> {
    const headers = { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
    const options = {
      method,
      headers,
      signal,
      maxBytes: MAX_BYTES,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const { status, body: reply } = await request(`${this.base}/api/${path}`, options).catch(
      (error: unknown) => {
        throw unreachable(error);
      },
    );
    if (status === 401)
      throw new SpeakerFault('speaker-refused', { problem: 'Home Assistant does not accept the token' });
    if (status === 404)
      throw new SpeakerFault('speaker-unreachable', { problem: 'Home Assistant has no such media player' });
    if (status !== 200 && status !== 201)
      throw new SpeakerFault('speaker-refused', { problem: `Home Assistant replied with ${status}` });
    return JSON.parse(reply);
  }
}
