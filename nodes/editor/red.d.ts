/** Types of the globals of Node-RED's editor, limited to the members that Herald uses. */

/** A node in the editor. */
interface EditorNode {
  readonly id: string;
  readonly type: string;
  readonly _def: {
    /** `config` for a config node. */
    readonly category: string;
    readonly defaults: Readonly<
      Record<
        string,
        {
          value: unknown;
          required?: boolean;
          /** Returns true or a localized problem. */
          validate?(this: EditorNode, value: unknown, options: object): true | string;
        }
      >
    >;
    readonly credentials?: object;
    /** The build adds the following facts (`scripts/build/editor-page.mjs`). */
    readonly rules?: Readonly<Record<string, import('./form/rules/rules.js').Rule>>;
    /** The values of other fields that a field needs. */
    readonly onlyFor?: Readonly<Record<string, import('./form/rules/only-for.js').Needs>>;
    /** The operation of the interface that the node needs. */
    readonly needs?: string;
    /** The fields whose typed text is a template. */
    readonly templates?: readonly string[];
    readonly fileFormats?: import('./form/rules/file-format.js').FileFormats;
    /** Nodes with voice settings have the next three. */
    readonly models?: import('./form/models.js').Models;
    readonly voiceSettings?: import('./form/rules/settings.js').Ranges;
    /** The voice settings that the local service follows. */
    readonly localSettings?: readonly string[];
  };
  /** Returns a localized text of the node. */
  _(key: string, values?: object): string;
  [property: string]: unknown;
}

interface TypedInputWidget {
  value(): string;
  value(value: string): void;
}

interface TypedInputExpand {
  icon: string;
  minWidth: number;
  content(this: TypedInputWidget, container: JQuery): { onclose?(): void };
}

interface TypedInputType {
  value: string;
  label?: string;
  icon?: string;
  options?: readonly { value: string; label: string }[];
  /** Returns true or a localized problem. */
  validate?(value: string): true | string;
  /** Converts the value of the visible input to the saved value. */
  export?(value: string): string;
  /** Shows the value in place of the visible input. */
  valueLabel?(container: JQuery, value: string): void;
  expand?: TypedInputExpand | ((this: TypedInputWidget) => void);
}

interface TypedInputOptions {
  default: string;
  types: readonly (string | TypedInputType)[];
  typeField: HTMLElement;
}

interface JQuery {
  readonly [index: number]: HTMLElement | undefined;
  append(element: Element): this;
  on(events: string, handler: () => void): this;
  trigger(event: string): this;
  typedInput(options: TypedInputOptions): this;
  typedInput(method: 'type' | 'value', value: string): this;
  typedInput(method: 'value'): string;
}

declare function $(element: Element): JQuery;
/** Parses an expression. @throws an object with a message for an invalid one */
declare function jsonata(expression: string): unknown;
declare namespace $ {
  function ajax(request: {
    url: string;
    timeout: number;
    xhrFields: { responseType: 'blob' };
  }): PromiseLike<unknown> & { abort(): void };
  function ajax(request: {
    url: string;
    type: 'GET' | 'POST';
    contentType?: string;
    headers: Record<string, string>;
    data?: string | Blob;
    processData?: false;
    global: boolean;
    timeout: number;
  }): PromiseLike<unknown> & { abort(): void };
}

interface Notification {
  close(): void;
}

interface NotifyOptions {
  type?: 'warning' | 'error';
  fixed?: boolean;
  timeout?: number;
  buttons?: readonly { text: string; class?: string; click(): void }[];
}

declare const RED: {
  clipboard: { copyText(text: string): boolean };
  _(key: string, values?: object): string;
  actions: {
    add(name: string, handler: () => void, options?: { label?: string }): void;
    remove(name: string): void;
  };
  i18n: { lang(): string };
  notify(text: string | HTMLElement, options: NotifyOptions): Notification;
  comms: {
    on(event: 'connect', listener: () => void): void;
    off(event: 'connect', listener: () => void): void;
    subscribe(topic: string, listener: (topic: string, data: unknown) => void): void;
    unsubscribe(topic: string, listener: (topic: string, data: unknown) => void): void;
  };
  editor: {
    editConfig(name: string, type: string, id: string): void;
    editJSON(options: { value: string; complete(text: string): void }): void;
  };
  events: {
    emit(event: 'nodes:change', node: EditorNode): void;
    on(event: 'nodes:add' | 'nodes:change' | 'nodes:remove', listener: (node: EditorNode) => void): void;
    on(
      event: 'deploy' | 'editor:change' | 'editor:close' | 'flows:loaded' | 'workspace:clear',
      listener: () => void,
    ): void;
    off(event: 'nodes:add' | 'nodes:change' | 'nodes:remove', listener: (node: EditorNode) => void): void;
    off(event: 'deploy' | 'editor:change' | 'editor:close' | 'flows:loaded', listener: () => void): void;
  };
  history: { push(event: object): void };
  nodes: {
    add(node: object): void;
    dirty(): boolean;
    dirty(isDirty: boolean): void;
    getType(type: 'herald-account'): {
      readonly services: Readonly<Record<string, import('./lib/services.js').RegisteredFacts>> & {
        readonly local: import('./lib/services.js').RegisteredFacts;
      };
    };
    getType(type: string): EditorNode['_def'];
    id(): string;
    node(id: string): EditorNode | null | undefined;
    /** Adds a node to the users of its config nodes. */
    updateConfigNodeUsers(node: EditorNode): void;
    eachNode(visit: (node: EditorNode) => void): void;
    eachConfig(visit: (node: { id: string; type: string; z?: string }) => void): void;
  };
  settings: Readonly<Record<string, unknown>>;
  sidebar: {
    addTab(tab: {
      id: string;
      label: string;
      name: string;
      iconClass: string;
      content: HTMLElement;
      enableOnEdit: boolean;
      action: string;
    }): void;
    removeTab(id: string): void;
    show(id: string): void;
  };
  utils: { getNodeLabel(node: EditorNode, fallback?: string): string };
  view: { redrawStatus(node: EditorNode): void; reveal(id: string): void };
  workspaces: { active(): string };
  validators: {
    typedInput(options: {
      type?: string;
      typeField: string;
      allowBlank: boolean;
      allowUndefined: boolean;
    }): (this: EditorNode, value: unknown, options: object) => true | string;
  };
};
