/** Messages about the URLs of audio. `nodes/runtime/messages.ts` adds them to all messages. */
export const urlMessages = {
  'url-loopback':
    '{url}: only this computer reaches this address: enter the address of this computer in the network under “Base URL”',
  'url-audio-loopback':
    '{url}: the audio port accepts only this computer: select another “Interface” under “Players” in the account',
  'url-ui-host':
    'uiHost in the settings is {host}, so Node-RED accepts no other devices: press “Let speakers in my network play this” in the dialog of the node, or remove uiHost',
  'url-no-network':
    'this computer has no address in a network: connect it to the network of the players, or enter the “Base URL”',
  'url-link-local':
    '{url}: this computer gave itself this address because it got none from the network: check the network, or enter the “Base URL”',
  'url-container':
    '{url}: Node-RED runs in a container, and other devices do not reach this address: publish the port, and enter http://, the address of the host and the port under “Base URL”',
  'url-container-name':
    '{url}: only containers know this name: enter the address of the host under “Base URL”',
  'url-bridge':
    '{url}: only containers or virtual machines on this computer reach this address: enter the address of this computer in the network under “Base URL”',
  'url-wsl':
    '{url}: Node-RED runs in WSL, and other devices do not reach this address: set networkingMode=mirrored in .wslconfig, or forward the port and enter the address of Windows under “Base URL”',
  'url-add-on':
    '{url}: the port of the Home Assistant add-on is assumed to be {port}: enter another one under “Base URL”, or enter a “Port” under “Players” in the account, which needs no https',
  'url-ingress':
    '{url}: Home Assistant asks players at this address for a login: enter a “Port” under “Players” in the account',
  'url-login':
    'httpNodeAuth in the settings asks players for a login (401): press “Let speakers in my network play this” in the dialog of the node, or let /herald/audio/ pass without a login',
  'url-name':
    '{url}: some players cannot resolve this name: if a player stays silent, enter the IP address under “Base URL”',
  'url-certificate':
    '{url}: the certificate of Node-RED does not fit this address, and many players refuse it: enter the name of the certificate under “Base URL”, or enter a “Port” under “Players” in the account',
  'url-self-signed':
    '{url}: the certificate of Node-RED is self-signed, and many players refuse it: enter a “Port” under “Players” in the account',
  'url-protocol': '{url}: Node-RED serves {scheme} at this port: start the “Base URL” with {scheme}://',
  'url-root': '{url}: its path differs from httpNodeRoot in the settings: enter {expected} under “Base URL”',

  'url-port':
    '{url}: Node-RED listens at port {port}: enter this port under “Base URL”, unless a proxy forwards the other port to Node-RED',

  'audio-port-own':
    'port {port}: Node-RED itself uses it: enter another “Port” under “Players” in the account',
  'audio-port-in-use':
    'port {port}: another program or account uses it: enter another “Port” under “Players” in the account, or end that program',
  'audio-port-address':
    'address {host}: this computer does not have it: select another “Interface” under “Players” in the account',
  'audio-port-denied':
    'port {port}: the system does not permit it to Node-RED: enter a “Port” above 1023 under “Players” in the account',
  'audio-port-closed':
    'port {port}: not open yet: press “Let speakers in my network play this” in “Can my speakers hear me?”, or deploy',
  'audio-port-failed': 'port {port}: cannot serve audio: {problem}',
  'audio-port-open': 'account {account}: players get audio at port {port}',
  'audio-port-warning': 'account {account}: {problem}',
  'rule-port': 'expected a whole number from 1 to 65535',
  'rule-address': 'expected an IP address of this computer, such as 192.168.1.10',
  'rule-base-url': 'expected a URL such as http://192.168.1.10:1880, without user name, password, ? and #',
} as const;
