/** Settings of `npm start`: only this machine reaches it, and it asks nobody outside. */
module.exports = {
  uiHost: '127.0.0.1',
  flowFile: 'flows.json',
  flowFilePretty: true,
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: { enabled: false }, palette: { catalogues: [] } },
  logging: { console: { level: 'info', metrics: false, audit: false } },
};
