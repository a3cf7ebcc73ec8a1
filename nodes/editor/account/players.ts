/** The account's section about players: the audio port, its network interface, and the base URL of all nodes. */
import { element, fieldsOf, textOf, listOf } from '@herald-speech/browser';
import { setText, showFieldProblem } from '../lib/field-note.js';
import { callRuntime } from '../lib/runtime.js';
import { field, foldOf, prepareNumbers } from './fields.js';
import { validateAudioHost, validateAudioUrl } from './validate-account.js';

/** Shows the problems of the values, and offers the addresses of the computer of Node-RED. */
export function preparePlayers(node: EditorNode): void {
  const fold = foldOf('players');
  const [host, url] = [field('audioHost', HTMLInputElement), field('audioBaseUrl', HTMLInputElement)];
  host.setAttribute('list', 'herald-addresses');
  field('audioPort', HTMLInputElement).placeholder = node._('players.off');
  host.placeholder = node._('audioHost.blank');
  url.placeholder = node._('audioBaseUrl.blank');
  showFieldProblem(host, 'herald-audioHost-problem', (value) => validateAudioHost(node, value));
  showFieldProblem(url, 'herald-audioBaseUrl-problem', (value) => validateAudioUrl(node, value));
  const isWrong = () =>
    validateAudioHost(node, host.value) !== true || validateAudioUrl(node, url.value) !== true;
  prepareNumbers(fold, () => settings(host.value.trim(), url.value.trim(), node), node, isWrong);
  void offerAddresses(node);
}

function settings(host: string, url: string, node: EditorNode): string[] {
  const port = field('audioPort', HTMLInputElement).value.trim();
  return [
    ...(port === '' ? [] : [`${node._('audioPort.label')}: ${host === '' ? port : `${host} ${port}`}`]),
    ...(url === '' ? [] : [url]),
  ];
}

/**
 * Offers the addresses in networks with the names of their interfaces, and shows the problem of the deployed port. Without
 * the runtime, the user can type an address.
 */
async function offerAddresses(node: EditorNode): Promise<void> {
  try {
    const reply = await callRuntime('reach/addresses', { account: node.id });
    const addresses = listOf(reply['addresses']).map((one) => fieldsOf(one));
    const options = addresses.map((one) => {
      const [value, name, network] = ['address', 'interface', 'network'].map((key) => textOf(one[key]));
      return element('option', { value: value ?? '', label: `${name}, ${network}` });
    });
    document.getElementById('herald-addresses')?.replaceChildren(...options);
    const failed = listOf(reply['problems'])
      .map((one) => fieldsOf(one))
      .find((problem) => problem['code'] === 'port-failed');
    if (failed !== undefined) setText('herald-audioPort-problem', textOf(failed['text']));
  } catch {
    // The list is an offer only.
  }
}
