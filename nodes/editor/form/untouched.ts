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
    for (const name of namesOf(node)) {
      const field = fieldOf(node, name);
      if (field !== undefined) opened.set(field, valueOf(field));
    }
  };

/** Returns a step that saves a dialog without the properties that the flow lacks and the user did not change. */
export const leavingOut =
  (save: Step): Step =>
  (node) => {
    // The step may change the fields. Node-RED adds a new config node only if it has changes, so it gets all defaults.
    const isNew = !RED.nodes.node(node.id);
    const untouched = isNew ? [] : untouchedFields(node);
    save(node);
    untouched.forEach(hide);
  };

/**
 * Returns the unchanged fields whose property the flow lacks, and the unchanged fields of credentials: the flow never has them. A
 * required property has no default, so the shown choice is saved.
 */
function untouchedFields(node: EditorNode): Field[] {
  const { defaults, credentials = {} } = node._def;
  const optional = Object.keys(defaults).filter((property) => defaults[property]?.required !== true);
  const lacked = optional.filter((property) => node[property] === undefined);
  return [...lacked, ...Object.keys(credentials)].flatMap((name) => {
    const field = fieldOf(node, name);
    return field !== undefined && !isRowChanged(node, name) ? [field] : [];
  });
}

/**
 * Whether the user changed a field, or the other field of its row. The value and the source of a row are saved together: without a
 * value, the runtime ignores the source.
 */
const isRowChanged = (node: EditorNode, name: string): boolean =>
  [name, name.replace(/Type$/, ''), `${name}Type`].some((part) => {
    const field = fieldOf(node, part);
    return field !== undefined && (opened.get(field) !== valueOf(field) || !isReadable(field));
  });

const namesOf = ({ _def: { defaults, credentials = {} } }: EditorNode): string[] =>
  Object.keys({ ...defaults, ...credentials });

/** Returns the field of a property in the open dialog, if the dialog has one. */
function fieldOf({ _def: { category } }: EditorNode, name: string): Field | undefined {
  const field = document.getElementById(`node-${category === 'config' ? 'config-' : ''}input-${name}`);
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : undefined;
}

/** Whether a field has the value that the user sees. A text in place of a number has a blank value. */
const isReadable = ({ validity }: Field): boolean => !validity.badInput;

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
