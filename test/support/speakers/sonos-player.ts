import { secondsOf } from './fetched.js';

/** Milliseconds in which a player loads a sound. */
const LOAD_MS = 40;
/** Seconds of each song of the queue. */
const SONG = 240;

type Values = Readonly<Record<string, string>>;
type State = 'STOPPED' | 'TRANSITIONING' | 'PLAYING' | 'PAUSED_PLAYBACK';

const read = ['GetTransportInfo', 'GetMediaInfo', 'GetPositionInfo', 'GetTransportSettings'];
const rendering = ['GetVolume', 'GetMute', 'SetVolume', 'SetMute'];

/** A player with its queue and its volume. */
export class SonosPlayer {
  volume = 40;
  isMute = false;
  isVisible = true;
  /** The player that leads the group; undefined for a player that leads or is alone. */
  leader: SonosPlayer | undefined;
  uri = '';
  metadata = '';
  mode = 'NORMAL';
  state: State = 'STOPPED';
  /** The number of the song in the queue. */
  track = 0;
  /** How often it began to play each URI. */
  plays = new Map<string, number>();
  private queued = 0;
  private position = 0;
  private since = 0;
  private length = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    readonly name: string,
  ) {}

  get queue(): string {
    return `x-rincon-queue:${this.id}#0`;
  }

  /** Plays a song of the queue as the program of Sonos does. */
  playQueue(songs: number, track: number, seconds: number): void {
    this.queued = songs;
    this.set(this.queue, '<DIDL-Lite>queue</DIDL-Lite>');
    this.track = track;
    this.position = seconds;
    this.start(SONG);
  }

  /** Returns the seconds in the present song. */
  get seconds(): number {
    return this.position + (this.state === 'PLAYING' ? (performance.now() - this.since) / 1000 : 0);
  }

  pause(): void {
    this.halt('PAUSED_PLAYBACK');
  }

  stop(): void {
    this.halt('STOPPED');
    this.position = 0;
  }

  /** Runs an action; returns the code of its error if the state does not allow it. */
  run(action: string, values: Values): Values | number {
    if (rendering.includes(action)) return this.render(action, values);
    if (read.includes(action)) return this.tell(action);
    if (this.leader !== undefined) return 800;
    switch (action) {
      case 'SetAVTransportURI':
        return this.change(values['CurrentURI'] ?? '', values['CurrentURIMetaData'] ?? '');
      case 'SetPlayMode':
        if (this.uri !== this.queue) return 712;
        this.mode = values['NewPlayMode'] ?? '';
        return {};
      case 'Play':
        return this.play();
      case 'Pause':
        if (this.state !== 'PLAYING') return 701;
        this.pause();
        return {};
      case 'Stop':
        this.stop();
        return {};
      case 'Seek':
        return this.seek(values['Unit'] ?? '', values['Target'] ?? '');
      default:
        return 401;
    }
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private change(uri: string, metadata: string): Values | number {
    // Only the program that started it can play it.
    if (uri.startsWith('x-sonos-vli:')) return 804;
    if (!/^(http:|https:|x-rincon|x-sonosapi)/.test(uri)) return 714;
    if (uri.startsWith('http:') && !metadata.includes('<DIDL-Lite')) return 402;
    this.set(uri, metadata);
    return {};
  }

  private set(uri: string, metadata: string): void {
    this.halt('STOPPED');
    [this.uri, this.metadata, this.position] = [uri, metadata, 0];
    this.track = uri === this.queue ? Math.min(this.queued, 1) : 1;
    if (uri !== this.queue) this.mode = 'NORMAL';
  }

  private play(): Values | number {
    if (this.state === 'PLAYING' || this.state === 'TRANSITIONING') return {};
    if (this.uri === '' || (this.uri === this.queue && this.queued === 0)) return 701;
    if (!this.uri.startsWith('http:')) {
      this.start(SONG);
      return {};
    }
    const { uri } = this;
    this.state = 'TRANSITIONING';
    void secondsOf(uri).then((length) => {
      if (this.uri !== uri || this.state !== 'TRANSITIONING') return;
      if (length === undefined) this.halt('STOPPED');
      else this.timer = setTimeout(() => this.start(length), LOAD_MS);
    });
    return {};
  }

  private start(length: number): void {
    clearTimeout(this.timer);
    this.plays.set(this.uri, (this.plays.get(this.uri) ?? 0) + 1);
    [this.length, this.since, this.state] = [length, performance.now(), 'PLAYING'];
    this.timer = setTimeout(() => this.stop(), (length - this.position) * 1000);
  }

  private halt(state: State): void {
    clearTimeout(this.timer);
    this.position = this.seconds;
    this.state = state;
  }

  private seek(unit: string, target: string): Values | number {
    if (unit === 'TRACK_NR') {
      if (this.uri !== this.queue || Number(target) < 1 || Number(target) > this.queued) return 711;
      [this.track, this.position] = [Number(target), 0];
      return {};
    }
    if (unit !== 'REL_TIME' || this.uri.startsWith('x-sonosapi')) return 711;
    const [hours = 0, minutes = 0, seconds = 0] = target.split(':').map(Number);
    this.position = hours * 3600 + minutes * 60 + seconds;
    return {};
  }

  private tell(action: string): Values {
    const { state, uri, metadata, track, mode, leader } = this;
    if (leader !== undefined && action === 'GetMediaInfo')
      return { NrTracks: '1', CurrentURI: `x-rincon:${leader.id}`, CurrentURIMetaData: '' };
    const time = new Date(Math.floor(this.seconds) * 1000).toISOString().slice(12, 19);
    const all: Record<string, Values> = {
      GetTransportInfo: { CurrentTransportState: state, CurrentTransportStatus: 'OK', CurrentSpeed: '1' },
      GetMediaInfo: { NrTracks: String(this.queued), CurrentURI: uri, CurrentURIMetaData: metadata },
      GetPositionInfo: {
        Track: String(track),
        TrackDuration: `0:0${Math.floor(this.length / 60)}:00`,
        RelTime: time,
      },
      GetTransportSettings: { PlayMode: mode, RecQualityMode: 'NOT_IMPLEMENTED' },
    };
    return all[action] ?? {};
  }

  private render(action: string, values: Values): Values {
    if (action === 'GetVolume') return { CurrentVolume: String(this.volume) };
    if (action === 'GetMute') return { CurrentMute: this.isMute ? '1' : '0' };
    if (action === 'SetVolume') this.volume = Number(values['DesiredVolume']);
    else this.isMute = values['DesiredMute'] === '1';
    return {};
  }
}
