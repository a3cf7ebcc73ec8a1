/** Creates nodes with the properties that the editor saves for new nodes. */
import type { FlowNode } from '../../support/node-red/node-red.js';
import { registrationOf } from './built.js';

/** Returns the saved properties of a new node. */
function defaultsOf(name: string): Record<string, unknown> {
  const { defaults } = registrationOf(name).registration;
  return Object.fromEntries(Object.entries(defaults).map(([key, { value }]) => [key, value]));
}

/** Creates a node on the tab `tab` with the account `account`. */
export function nodeOf(id: string, name: string, index: number): FlowNode {
  const place = { z: 'tab', x: 300, y: 80 + 80 * index, wires: [] };
  return {
    ...defaultsOf(name),
    id,
    type: `herald-${name}`,
    ...place,
    ...(name !== 'listen' && { account: 'account' }),
  };
}

/** Creates an account with the id `account`. */
export const accountOf = (more: object = {}): FlowNode => ({
  ...defaultsOf('account'),
  id: 'account',
  type: 'herald-account',
  ...more,
});

/** Creates a speaker with the id `speaker`. */
export const speakerOf = (more: object = {}): FlowNode => ({
  ...defaultsOf('speaker'),
  id: 'speaker',
  type: 'herald-speaker',
  kind: 'mpd',
  address: '127.0.0.1:9',
  ...more,
});

/** Creates an inject node that sends `Hello.` to a node. */
export const pressOf = (id: string, to: string): FlowNode => ({
  id,
  type: 'inject',
  z: 'tab',
  x: 100,
  y: 80,
  props: [{ p: 'payload' }],
  payload: 'Hello.',
  payloadType: 'str',
  repeat: '',
  crontab: '',
  once: false,
  wires: [[to]],
});
