/** The services of Sonos players, from their descriptions: actions with their arguments in order, and errors. */

export interface Service {
  name: string;
  type: string;
  control: string;
  /** The arguments of each action with the rule for their values. */
  actions: Readonly<Record<string, Readonly<Record<string, RegExp>>>>;
}

const [INSTANCE, TEXT] = [{ InstanceID: /^0$/ }, /^[^]*$/];
const CHANNEL = { ...INSTANCE, Channel: /^(Master|LF|RF)$/ };

export const services: readonly Service[] = [
  {
    name: 'AVTransport',
    type: 'urn:schemas-upnp-org:service:AVTransport:1',
    control: '/MediaRenderer/AVTransport/Control',
    actions: {
      GetTransportInfo: INSTANCE,
      GetMediaInfo: INSTANCE,
      GetPositionInfo: INSTANCE,
      GetTransportSettings: INSTANCE,
      SetAVTransportURI: { ...INSTANCE, CurrentURI: TEXT, CurrentURIMetaData: TEXT },
      SetPlayMode: {
        ...INSTANCE,
        NewPlayMode: /^(NORMAL|REPEAT_ALL|REPEAT_ONE|SHUFFLE_NOREPEAT|SHUFFLE|SHUFFLE_REPEAT_ONE)$/,
      },
      Play: { ...INSTANCE, Speed: /^1$/ },
      Pause: INSTANCE,
      Stop: INSTANCE,
      Seek: { ...INSTANCE, Unit: /^(TRACK_NR|REL_TIME|TIME_DELTA)$/, Target: /^(\d+|\d+:\d\d:\d\d)$/ },
    },
  },
  {
    name: 'RenderingControl',
    type: 'urn:schemas-upnp-org:service:RenderingControl:1',
    control: '/MediaRenderer/RenderingControl/Control',
    actions: {
      GetVolume: CHANNEL,
      GetMute: CHANNEL,
      SetVolume: { ...CHANNEL, DesiredVolume: /^(100|[1-9]?\d)$/ },
      SetMute: { ...CHANNEL, DesiredMute: /^[01]$/ },
    },
  },
  {
    name: 'ZoneGroupTopology',
    type: 'urn:schemas-upnp-org:service:ZoneGroupTopology:1',
    control: '/ZoneGroupTopology/Control',
    actions: { GetZoneGroupState: {} },
  },
];

/** Reads a command of a service; returns the code of its error if the command is wrong. */
export function actionIn(
  { type, actions }: Service,
  header: string,
  body: string,
): { name: string; values: Readonly<Record<string, string>> } | number {
  const [, name = ''] = /^"([^"#]+)#(\w+)"$/.exec(header)?.slice(1) ?? [];
  const rules = actions[name];
  if (header !== `"${type}#${name}"` || rules === undefined) return 401;
  const content = new RegExp(
    String.raw`<s:Body><u:${name} xmlns:u="${type}">([^]*)</u:${name}></s:Body></s:Envelope>$`,
  ).exec(body)?.[1];
  if (content === undefined) return 400;
  const given = [...content.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(
    ([, key = '', value = '']) => [key, plain(value)] as const,
  );
  const isComplete = given.map(([key]) => key).join() === Object.keys(rules).join();
  if (!isComplete || content.replace(/<(\w+)>[^<]*<\/\1>/g, '') !== '') return 402;
  if (given.some(([key, value]) => rules[key]?.test(value) !== true)) return 600;
  return { name, values: Object.fromEntries(given) };
}

const plain = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** Returns the reply for an error. */
export const faultFor = (code: number): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail><UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>${code}</errorCode></UPnPError></detail></s:Fault></s:Body></s:Envelope>`;
