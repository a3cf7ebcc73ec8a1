/** Plays a URL on a DLNA renderer (UPnP AVTransport 1.0, sections 2.4.1 and 2.4.9). */
import { SpeechError } from '@herald-speech/client';
import { say } from '../../../runtime/messages.js';
import type { Renderer } from './description.js';
import { request } from './http.js';
import { escaped, textIn } from './xml.js';

/** Maximum size of a reply in bytes. */
const MAX_BYTES = 64_000;

/**
 * Plays a URL. The renderer fetches the audio after this function has resolved.
 * @param mime media type of the audio
 * @throws SpeechError `no-reply` if the renderer does not answer, `bad-reply` with its reason if it refuses
 */
export async function playUrl(
  renderer: Renderer,
  url: string,
  mime: string,
  signal: AbortSignal,
): Promise<void> {
  const metadata = `<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1"><dc:title>Herald</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class><res protocolInfo="http-get:*:${mime}:*">${escaped(url)}</res></item></DIDL-Lite>`;
  await act(renderer, 'SetAVTransportURI', { CurrentURI: url, CurrentURIMetaData: metadata }, signal);
  await act(renderer, 'Play', { Speed: '1' }, signal);
}

async function act(
  { control, service, name }: Renderer,
  action: string,
  values: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const fields = Object.entries({ InstanceID: '0', ...values })
    .map(([field, value]) => `<${field}>${escaped(value)}</${field}>`)
    .join('');
  const envelope = 'http://schemas.xmlsoap.org/soap/';
  const body = `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${envelope}envelope/" s:encodingStyle="${envelope}encoding/"><s:Body><u:${action} xmlns:u="${service}">${fields}</u:${action}></s:Body></s:Envelope>`;
  const headers = { 'Content-Type': 'text/xml; charset="utf-8"', SOAPAction: `"${service}#${action}"` };
  const options = { method: 'POST' as const, headers, body, signal, maxBytes: MAX_BYTES };
  const reply = await request(control, options).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new SpeechError('no-reply', say('reach-device-silent', { device: name }), { cause });
  });
  if (reply.status === 200) return;
  const reason = [textIn(reply.body, 'errorDescription'), textIn(reply.body, 'errorCode')];
  const problem = reason.filter(Boolean).join(' ') || String(reply.status);
  throw new SpeechError('bad-reply', say('reach-device-refused', { device: name, problem }));
}
