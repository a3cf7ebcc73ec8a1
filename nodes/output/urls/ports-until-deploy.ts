import { SpeechError, type Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { type AudioPortInUse, type PortPlace, useAudioServer } from './audio-server.js';
import { betweenChecks } from './try-port.js';

/** The audio ports that the editor has opened since the last deploy, by the id of the account. */
const opened = new Map<string, AudioPortInUse>();
/** A partial deploy keeps unchanged accounts, so an event of the flows closes the ports, not an account. */
const EVENTS = ['flows:stopped', 'flows:started'] as const;
/** The topic on which all editors learn that such a port has opened or closed. */
const TOPIC = 'herald/reach/ports';

/** Returns the port that the editor has opened for an account since the last deploy. */
export const portUntilDeploy = (account: string): AudioPortInUse | undefined => opened.get(account);

/** Returns one of the ports that the editor has opened since the last deploy. */
export const anyPortUntilDeploy = (): AudioPortInUse | undefined => opened.values().next().value;

/**
 * Opens an audio port for an account until the next deploy or stop of the flows. Replaces the former port of the account.
 * @param report called if the server starts to listen (without a problem), and if its problem changes
 * @throws SpeechError `not-configured` if the port cannot open; then the former port stays open
 */
export async function openUntilDeploy(
  RED: NodeAPI,
  account: string,
  place: PortPlace,
  report: (problem: Text | undefined) => void = () => undefined,
): Promise<void> {
  const { former, port } = await betweenChecks(async () => {
    if (opened.size === 0) onDeploy(RED, () => closeAll(RED));
    const use = { former: opened.get(account), port: useAudioServer(RED, place, report) };
    opened.set(account, use.port);
    await use.port.ready();
    return use;
  });
  const { problem } = port;
  if (problem === undefined) {
    tellEditors(RED);
    return former?.release();
  }
  await port.release();
  // A deploy during the wait has closed the ports.
  if (opened.get(account) !== port) await former?.release();
  else if (former === undefined) opened.delete(account);
  else opened.set(account, former);
  throw new SpeechError('not-configured', problem);
}

/** Calls a function once: at the next deploy, or when the flows stop. */
function onDeploy({ events }: NodeAPI, work: () => void): void {
  const once = () => {
    for (const event of EVENTS) events.off(event, once);
    work();
  };
  for (const event of EVENTS) events.on(event, once);
}

function closeAll(RED: NodeAPI): void {
  for (const port of opened.values()) void port.release();
  opened.clear();
  tellEditors(RED);
}

const tellEditors = ({ comms }: NodeAPI): void => comms.publish(TOPIC, {}, false);
