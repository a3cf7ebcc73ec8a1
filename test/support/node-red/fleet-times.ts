import path from 'node:path';
import type { FleetTimes } from '../../../fleet/fleet.js';

const FLEET = path.resolve(__dirname, '../../../fleet/dist');

/**
 * Returns a part of the settings file of a Node-RED process. Its accounts join their fleets with these limits.
 * @param byPrefix limits of accounts with a certain prefix of keys
 */
export const fleetScript = (
  times: FleetTimes,
  byPrefix: Readonly<Record<string, FleetTimes>> = {},
): string => `
const fleetTimes = ${JSON.stringify(times)};
const fleetTimesByPrefix = ${JSON.stringify(byPrefix)};
const { createFleet } = require(${JSON.stringify(path.join(FLEET, 'bundle.js'))}).fleet();
const fleet = ${JSON.stringify(path.join(FLEET, 'index.js'))};
const members = require(fleet);
require.cache[fleet].exports = {
  ...members,
  joinFleet: (options) => createFleet(options, { ...fleetTimes, ...fleetTimesByPrefix[options.prefix] }),
};
`;
