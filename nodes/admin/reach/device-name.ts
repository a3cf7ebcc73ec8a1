/** The names of players by a part of their header `User-Agent`. The first match counts. */
const NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Sonos/i, 'Sonos'],
  [/CrKey|GoogleCast|Chromecast/i, 'Google Cast'],
  [/Home ?Assistant/i, 'Home Assistant'],
  [/gmediarender/i, 'gmediarender'],
  [/Linkplay|WiiM/i, 'Linkplay'],
  [/Kodi/i, 'Kodi'],
  [/Roku/i, 'Roku'],
  [/SamsungWiselink|SEC_HHP|Tizen/i, 'Samsung'],
  [/Web0S|LG ?Smart|LGE_DLNA/i, 'LG'],
  [/Bose/i, 'Bose'],
  [/Denon|HEOS|Marantz/i, 'HEOS'],
  [/Yamaha/i, 'Yamaha'],
  [/PlayStation/i, 'PlayStation'],
  [/Xbox/i, 'Xbox'],
  [/Twilio/i, 'Twilio'],
  [/Asterisk/i, 'Asterisk'],
  [/Alexa|AmazonWebPlayer/i, 'Alexa'],
  [/AppleCoreMedia|AirPlay/i, 'Apple'],
  [/ExoPlayer|stagefright/i, 'Android'],
  [/VLC|LibVLC/i, 'VLC'],
  [/GStreamer|souphttpsrc/i, 'GStreamer'],
  [/Lavf/i, 'FFmpeg'],
  [/mpv/i, 'mpv'],
  [/Music Player Daemon/i, 'MPD'],
  [/ESP32|ESPHome|esp-idf/i, 'ESP32'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** UTF-16 code units of a name from an unknown header. */
const MAX_LENGTH = 40;

/** Returns a short name of a player; '' without a header. An unknown player gets its first product, such as `curl`. */
export function deviceName(userAgent: string): string {
  const known = NAMES.find(([pattern]) => pattern.test(userAgent));
  if (known !== undefined) return known[1];
  const [product = ''] = userAgent.trim().split(/[\s/;,(]/);
  return product.slice(0, MAX_LENGTH);
}
