/**
 * The functions of Node-RED that Herald uses, each with the test files that use it in a running Node-RED or its editor.
 * `uses` lists the interfaces of Node-RED in the code of the nodes; test/scripts/tests/node-red-functions.test.ts compares them.
 * @type {readonly { name: string, uses: readonly string[], files: readonly string[] }[]}
 */
export const nodeRedFunctions = [
  {
    name: 'start of nodes and config nodes, inputs and outputs',
    uses: ['RED.nodes.createNode', 'RED.nodes.registerType', 'RED.nodes.getNode', 'RED.log.warn'],
    files: ['test/nodes/text-to-speech.test.ts'],
  },
  {
    name: 'credentials, the start of the flows',
    uses: ['RED.nodes.getCredentials', 'RED.events', 'RED.events.once', 'RED.events.off'],
    files: ['test/nodes/account/start.test.ts', 'test/nodes/prompts/run/saved-run.test.ts'],
  },
  {
    name: 'deploy kinds, stop of nodes',
    uses: ['RED.events.on', 'RED.nodes.eachNode'],
    files: ['test/nodes/flows.test.ts', 'test/nodes/runtime/queue/queue-and-close.test.ts'],
  },
  {
    name: 'typed inputs',
    uses: ['RED.util.evaluateNodeProperty', 'RED.util.cloneMessage'],
    files: ['test/nodes/lib/property-types.test.ts'],
  },
  {
    name: 'status',
    uses: [],
    files: [
      'test/nodes/runtime/queue/cancel-and-queue-mode.test.ts',
      'test/nodes/editor/lib/node-status.test.ts',
    ],
  },
  { name: 'catch and complete nodes', uses: [], files: ['test/nodes/runtime/outputs.test.ts'] },
  {
    name: 'log, languages of texts',
    uses: ['RED.log', 'RED._', 'RED.i18n.lang'],
    files: ['test/nodes/runtime/localize.test.ts'],
  },
  {
    name: 'admin endpoints and rights',
    uses: [
      'RED.httpAdmin',
      'RED.httpAdmin.get',
      'RED.httpAdmin.post',
      'RED.auth.needsPermission',
      'RED.util.generateId',
    ],
    files: ['test/nodes/admin/endpoint/permissions.test.ts', 'test/nodes/admin/reach/endpoints.test.ts'],
  },
  {
    name: 'web server and its path',
    uses: [
      'RED.server',
      'RED.settings',
      'RED.settings.httpNodeRoot',
      'RED.settings.https',
      'RED.settings.uiHost',
      'RED.settings.uiPort',
      'RED.httpNode',
      'RED.httpNode.options',
      'RED.httpNode.get',
      'RED.httpNode._router',
      'RED.httpNode.router',
    ],
    files: ['test/nodes/output/urls/audio-urls.test.ts'],
  },
  {
    name: 'user directory',
    uses: ['RED.settings.userDir'],
    files: ['test/nodes/account/data-folder.test.ts', 'test/nodes/admin/natural/natural-voices.test.ts'],
  },
  {
    name: 'messages to open editors',
    uses: [
      'RED.comms.publish',
      'RED.comms.subscribe',
      'RED.comms.unsubscribe',
      'RED.notify',
      'RED.view.redrawStatus',
    ],
    files: ['test/nodes/admin/activity/endpoints.test.ts', 'test/nodes/editor/playback/listen.test.ts'],
  },
  {
    name: 'dialogs of nodes and config nodes',
    uses: [
      'RED.validators.typedInput',
      'RED.nodes.eachConfig',
      'RED.nodes.node',
      'RED.workspaces.active',
      'RED.editor.editJSON',
    ],
    files: [
      'test/nodes/editor/dialogs.test.ts',
      'test/nodes/editor/form/folds.test.ts',
      'test/nodes/editor/form/panels/text-editor.test.ts',
    ],
  },
  {
    name: 'change of a config node by a button, undo',
    uses: [
      'RED.nodes.add',
      'RED.nodes.dirty',
      'RED.nodes.getType',
      'RED.nodes.id',
      'RED.nodes.updateConfigNodeUsers',
      'RED.history.push',
      'RED.events.emit',
    ],
    files: ['test/nodes/editor/reach/open-port.test.ts'],
  },
  {
    name: 'list of config nodes in a property, dialog of a new config node',
    uses: ['RED.editor.editConfig'],
    files: ['test/nodes/editor/speakers/speakers.test.ts'],
  },
  {
    name: 'copy and paste of nodes, clipboard',
    uses: ['RED.clipboard.copyText'],
    files: ['test/nodes/editor/copies.test.ts'],
  },
  {
    name: 'plugin of the sidebar',
    uses: [
      'RED.plugins.registerPlugin',
      'RED.sidebar.addTab',
      'RED.sidebar.removeTab',
      'RED.sidebar.show',
      'RED.actions.add',
      'RED.actions.remove',
      'RED.comms.on',
      'RED.comms.off',
      'RED.utils.getNodeLabel',
      'RED.view.reveal',
    ],
    files: ['test/nodes/editor/sidebar/sidebar.test.ts'],
  },
  { name: 'help in the sidebar', uses: [], files: ['test/nodes/editor/help.test.ts'] },
  {
    name: 'import of examples, core nodes in them',
    uses: [],
    files: ['test/examples/editor.test.ts', 'test/examples/valid.test.ts', 'test/examples/doorbell.test.ts'],
  },
];

/** The test files for another version of Node-RED. */
export const nodeRedTests = [...new Set(nodeRedFunctions.flatMap(({ files }) => files))];
