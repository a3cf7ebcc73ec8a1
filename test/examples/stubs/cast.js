// Nodes with the types, properties and messages of the package node-red-contrib-castv2 (4.3). In place of a device, they fetch
// the URL as a cast receiver does: from a page of another origin, with ranges.
const ORIGIN = 'https://www.gstatic.com';

/** The commands of the receiver by type. */
const commands = {
  VOLUME({ volume, ...more }) {
    if (typeof volume !== 'number' || volume < 0 || volume > 100)
      throw new Error('volume is not from 0 to 100');
    checkNoMore(more);
  },
  async MEDIA({ app, media: { url, contentType, streamType, metadata, ...unknown }, ...more }) {
    if (app !== 'DefaultMediaReceiver') throw new Error(`app ${app}`);
    if (!['BUFFERED', 'LIVE'].includes(streamType)) throw new Error(`stream type ${streamType}`);
    if (metadata.metadataType !== 0 || typeof metadata.title !== 'string')
      throw new Error('metadata is not generic');
    checkNoMore({ ...unknown, ...more });
    const reply = await fetch(url, { headers: { origin: ORIGIN, range: 'bytes=0-' } });
    const type = reply.headers.get('content-type');
    if (reply.status !== 206 || type !== contentType) throw new Error(`status ${reply.status}, type ${type}`);
    if (!['*', ORIGIN].includes(reply.headers.get('access-control-allow-origin'))) throw new Error('CORS');
    await reply.arrayBuffer();
  },
};

function checkNoMore(fields) {
  if (Object.keys(fields).length > 0) throw new Error(`unknown fields ${Object.keys(fields).join()}`);
}

module.exports = (RED) => {
  function Connection(properties) {
    RED.nodes.createNode(this, properties);
    Object.assign(this, { target: properties.target, host: properties.host, port: properties.port });
  }
  function Sender(properties) {
    RED.nodes.createNode(this, properties);
    const run = async ({ payload: { type, ...fields } }) => {
      const { target, host } = RED.nodes.getNode(properties.connection) ?? {};
      if (!target && !host) throw new Error('the device has no name and no address');
      if (!Object.hasOwn(commands, type)) throw new Error(`Unknown command ${type}`);
      await commands[type](fields);
      return { type };
    };
    this.on('input', (message, send, done) => {
      run(message).then(
        (payload) => {
          send({ ...message, payload });
          done();
        },
        (error) => done(error),
      );
    });
  }
  RED.nodes.registerType('castv2-connection', Connection);
  RED.nodes.registerType('castv2-sender', Sender);
};
