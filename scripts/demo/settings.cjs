const { existsSync, readFileSync } = require('node:fs');
const path = require('node:path');

/** Created by `npm start`. */
const secret = path.join(process.env['HERALD_DATA'] ?? '.', 'node-red', 'credential-secret');

/**
 * Node-RED settings of `npm start`: listens on 127.0.0.1 only, sends no telemetry, loads no external catalogue. `projects`
 * is empty, because Node-RED warns about disabled projects if the setting is false or missing.
 */
module.exports = {
  uiHost: '127.0.0.1',
  flowFile: 'flows.json',
  flowFilePretty: true,
  credentialSecret: existsSync(secret) ? readFileSync(secret, 'utf8') : undefined,
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: {}, palette: { catalogues: [] } },
  logging: { console: { level: 'info', metrics: false, audit: false } },
};
