// Nodes with the types, properties and messages of the package node-red-contrib-sonos-plus (6.9). In place of a player, they
// fetch the URL as one does: HEAD, then GET.
const isClock = /^\d\d:[0-5]\d:[0-5]\d$/;

/** Throws an error for messages that the command `group.play.notification` refuses. */
function check({ payload, volume, sameVolume, duration }) {
  if (typeof payload !== 'string' || payload === '') throw new Error('uri is not a string');
  if (volume !== undefined && !(Number.isInteger(Number(volume)) && volume >= 1 && volume <= 99))
    throw new Error('volume is not an integer from 1 to 99');
  if (sameVolume !== undefined && typeof sameVolume !== 'boolean')
    throw new Error('sameVolume is not boolean');
  if (duration !== undefined && !isClock.test(duration))
    throw new Error('duration is not in the format hh:mm:ss');
}

/** Fetches audio as a player does. */
async function play(url) {
  const { pathname } = new URL(url);
  if (!/\.(mp3|wav)$/.test(pathname)) throw new Error('the player knows the format by the extension only');
  const head = await fetch(url, { method: 'HEAD' });
  const length = Number(head.headers.get('content-length'));
  if (!head.ok || !(length > 0)) throw new Error(`status ${head.status}, length ${length}`);
  const audio = await (await fetch(url)).arrayBuffer();
  if (audio.byteLength !== length) throw new Error('the length is wrong');
}

module.exports = (RED) => {
  function Config(properties) {
    RED.nodes.createNode(this, properties);
    this.ipaddress = properties.ipaddress;
  }
  function Universal(properties) {
    RED.nodes.createNode(this, properties);
    let isPlaying = false;
    const run = async (message) => {
      if (properties.command !== 'group.play.notification') throw new Error(`command ${properties.command}`);
      if (!RED.nodes.getNode(properties.confignode)?.ipaddress) throw new Error('the player has no address');
      check(message);
      // A second announcement would restore the first one in place of the music.
      if (isPlaying) throw new Error('another announcement is playing');
      isPlaying = true;
      await play(message.payload).finally(() => (isPlaying = false));
    };
    this.on('input', (message, send, done) => {
      run(message).then(
        () => {
          send(message);
          done();
        },
        (error) => done(error),
      );
    });
  }
  RED.nodes.registerType('sonos-config', Config);
  RED.nodes.registerType('sonos-universal', Universal);
};
