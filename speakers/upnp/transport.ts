import { escaped } from '../base/xml.js';
import type { Act } from './control.js';

/** The play of a renderer (UPnP AVTransport 1.0). */
export class Transport {
  constructor(private readonly act: Act) {}

  /** Returns such as `PLAYING`, `PAUSED_PLAYBACK`, `STOPPED`. */
  state = async (): Promise<string> => (await this.act('GetTransportInfo'))('CurrentTransportState');

  async media(): Promise<{ uri: string; metadata: string }> {
    const field = await this.act('GetMediaInfo');
    return { uri: field('CurrentURI'), metadata: field('CurrentURIMetaData') };
  }

  /** Returns the time in the present URI, such as `0:01:30`, and its number in the queue. */
  async position(): Promise<{ time: string; track: string }> {
    const field = await this.act('GetPositionInfo');
    return { time: field('RelTime'), track: field('Track') };
  }

  /** Returns the position in seconds. */
  async seconds(): Promise<number> {
    const [hours = 0, minutes = 0, seconds = 0] = (await this.position()).time.split(':').map(Number);
    return hours * 3600 + minutes * 60 + seconds || 0;
  }

  /** Returns the mode of the queue, such as `NORMAL` or `SHUFFLE`. */
  mode = async (): Promise<string> => (await this.act('GetTransportSettings'))('PlayMode');

  setMode = (mode: string) => this.act('SetPlayMode', { NewPlayMode: mode });
  set = (uri: string, metadata: string) =>
    this.act('SetAVTransportURI', { CurrentURI: uri, CurrentURIMetaData: metadata });
  play = () => this.act('Play', { Speed: '1' });
  pause = () => this.act('Pause');
  stop = () => this.act('Stop');
  seek = (unit: 'REL_TIME' | 'TRACK_NR', target: string) => this.act('Seek', { Unit: unit, Target: target });
}

/** Describes the audio for renderers that refuse an unknown one (ContentDirectory 1.0, section 2.8). */
export const metadataOf = (url: string): string =>
  `<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1"><dc:title>Herald</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class><res protocolInfo="http-get:*:${url.endsWith('.mp3') ? 'audio/mpeg' : 'audio/wav'}:*">${escaped(url)}</res></item></DIDL-Lite>`;
