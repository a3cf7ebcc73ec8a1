import { createSocket } from 'node:dgram';

/**
 * Runs `work` while this computer answers searches for UPnP devices on its loopback address. No other computer is asked for this.
 * @param locations the URLs of the descriptions
 * @param onSearch is called with the type of the device, such as `MediaRenderer`
 */
export async function answeringSearches(
  locations: readonly string[],
  work: () => Promise<void>,
  onSearch: (type: string) => void = () => {},
): Promise<void> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true }, (message, from) => {
    onSearch(/^ST: urn:schemas-upnp-org:device:(\w+):1/m.exec(String(message))?.[1] ?? '');
    for (const location of locations)
      socket.send(`HTTP/1.1 200 OK\r\nLOCATION: ${location}\r\nST: x\r\n\r\n`, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(1900, resolve));
  socket.addMembership('239.255.255.250', '127.0.0.1');
  try {
    await work();
  } finally {
    await new Promise<void>((resolve) => socket.close(() => resolve()));
  }
}
