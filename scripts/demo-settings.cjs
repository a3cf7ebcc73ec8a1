/** Node-RED settings of `npm start`: listens on 127.0.0.1 only, sends no telemetry, loads no external catalogue. */
module.exports = {
  uiHost: '127.0.0.1',
  flowFile: 'flows.json',
  flowFilePretty: true,
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: { enabled: false }, palette: { catalogues: [] } },
  logging: { console: { level: 'info', metrics: false, audit: false } },
};
