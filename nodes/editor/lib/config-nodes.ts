/** Adds and changes config nodes in the editor. The user can undo each step, and the next deploy keeps it. */
import { textOf } from '@herald-speech/browser';

/** Adds a config node with its defaults and the given values. */
export function addConfigNode(
  type: string,
  values: Readonly<Record<string, string>>,
  id = RED.nodes.id(),
): EditorNode {
  const _def = RED.nodes.getType(type);
  const defaults = Object.entries(_def.defaults).map(([name, { value }]) => [name, structuredClone(value)]);
  RED.history.push({ t: 'add', nodes: [id], dirty: RED.nodes.dirty() });
  RED.nodes.add({
    ...Object.fromEntries(defaults),
    ...values,
    id,
    type,
    users: [],
    _def,
    changed: true,
  });
  RED.nodes.dirty(true);
  const added = RED.nodes.node(id);
  if (!added) throw new Error(`the editor has not added the node ${type}`);
  return added;
}

/** Changes properties of a node, as its dialog does. */
export function changeNode(node: EditorNode, values: Readonly<Record<string, string>>): void {
  const changes = Object.fromEntries(Object.keys(values).map((name) => [name, textOf(node[name])]));
  RED.history.push({ t: 'edit', node, changes, changed: node['changed'], dirty: RED.nodes.dirty() });
  Object.assign(node, values, { changed: true });
  RED.events.emit('nodes:change', node);
  RED.nodes.dirty(true);
}

/** Returns the config nodes of a type that the open tab can use, in the order of the editor. */
export function configNodesOf(type: string): EditorNode[] {
  const found: EditorNode[] = [];
  RED.nodes.eachConfig(({ id, type: other, z }) => {
    const node = RED.nodes.node(id);
    if (node && other === type && (!z || z === RED.workspaces.active())) found.push(node);
  });
  return found;
}
