/**
 * Properties that the flow lacks and the user leaves alone, as in examples and in flows of earlier versions. Node-RED would save their
 * defaults when the user presses "Done", and mark the node as changed.
 */

/** A step of a dialog, such as `oneditprepare`. */
type Step = (node: EditorNode) => void;

type Field = HTMLInputElement | HTMLSelectElement;

/** The values of the fields when their dialog opened. */
const opened = new WeakMap<Field, string>();

/** Returns a step that prepares a dialog, and then notes the values of its fields. */
export const noting =
  (prepare: Step): Step =>
  (node) => {
    prepare(node);
    for (const field of lackedFields(node)) opened.set(field, valueOf(field));
  };

/** Returns a step that saves a dialog without the properties that the flow lacks and the user did not change. */
export const leavingOut =
  (save: Step): Step =>
  (node) => {
    // The step may change the fields. Node-RED adds a new config node only if it has changes, so it gets all defaults.
    const isNew = !RED.nodes.node(node.id);
    const untouched = isNew ? [] : lackedFields(node).filter((field) => opened.get(field) === valueOf(field));
    save(node);
    untouched.forEach(hide);
  };

/**
 * Returns the fields whose property the flow lacks, and all fields of credentials: the flow never has them. A required property has no
 * default, so the shown choice is saved.
 */
function lackedFields(node: EditorNode): Field[] {
  const { category, defaults, credentials = {} } = node._def;
  const prefix = category === 'config' ? 'node-config-input' : 'node-input';
  const optional = Object.keys(defaults).filter((property) => defaults[property]?.required !== true);
  const lacked = optional.filter((property) => node[property] === undefined);
  return [...lacked, ...Object.keys(credentials)].flatMap((property) => {
    const field = document.getElementById(`${prefix}-${property}`);
    return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? [field] : [];
  });
}

const valueOf = (field: Field): string =>
  field instanceof HTMLInputElement && field.type === 'checkbox' ? String(field.checked) : field.value;

/** Hides a field from Node-RED until the end of this task: it saves the values of the fields that it finds by their ids. */
function hide(field: Field): void {
  const { id } = field;
  field.removeAttribute('id');
  queueMicrotask(() => {
    field.id = id;
  });
}
