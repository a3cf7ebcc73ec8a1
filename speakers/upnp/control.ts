/** Actions of a UPnP service (UPnP Device Architecture 2.0, section 3.2). */
import { request } from '../base/http.js';
import { escaped, textIn } from '../base/xml.js';
import { SpeakerFault, unreachable } from '../fault.js';
import type { DeviceService } from './description.js';

/** Maximum size of a reply in bytes: the rooms of a large house. */
const MAX_BYTES = 256_000;
/** Services of a renderer can have several instances. */
const INSTANCE = { InstanceID: '0' } as const;
const ENVELOPE = 'http://schemas.xmlsoap.org/soap/';

/** Runs an action of a device. Returns a function that reads a field of the reply; '' for a missing one. */
export type Act = (
  action: string,
  values?: Readonly<Record<string, string>>,
) => Promise<(field: string) => string>;

/**
 * Returns the actions of a service. They throw SpeakerFault `speaker-unreachable` or `speaker-refused` with the device's reason.
 * @param common the values of each action
 */
export const actionsOf =
  (
    { control, type }: DeviceService,
    signal: () => AbortSignal,
    common: Readonly<Record<string, string>> = INSTANCE,
  ): Act =>
  async (action, values = {}) => {
    const fields = Object.entries({ ...common, ...values })
      .map(([field, value]) => `<${field}>${escaped(value)}</${field}>`)
      .join('');
    const body = `<?xml version="1.0" encoding="utf-8"?><s:Envelope xmlns:s="${ENVELOPE}envelope/" s:encodingStyle="${ENVELOPE}encoding/"><s:Body><u:${action} xmlns:u="${type}">${fields}</u:${action}></s:Body></s:Envelope>`;
    const headers = { 'Content-Type': 'text/xml; charset="utf-8"', SOAPAction: `"${type}#${action}"` };
    const reply = await request(control, {
      method: 'POST',
      headers,
      body,
      signal: signal(),
      maxBytes: MAX_BYTES,
    }).catch((error: unknown) => {
      throw unreachable(error);
    });
    if (reply.status === 200) return (field) => textIn(reply.body, field);
    const reason = [textIn(reply.body, 'errorDescription'), textIn(reply.body, 'errorCode')];
    throw new SpeakerFault('speaker-refused', {
      problem: reason.filter(Boolean).join(' ') || String(reply.status),
    });
  };
