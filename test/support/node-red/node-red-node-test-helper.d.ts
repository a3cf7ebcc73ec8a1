/** Types for the parts of Node-RED's test helper in use. The package has no types. */
declare module 'node-red-node-test-helper' {
  import type { Node } from 'node-red';

  interface Helper {
    load(modules: readonly unknown[], flow: readonly object[], credentials?: object): Promise<void>;
    unload(): Promise<void>;
    setFlows(flow: readonly object[], type: 'full' | 'flows' | 'nodes', credentials?: object): Promise<void>;
    getNode(id: string): Node | null;
    settings(settings: object): object;
    /** The spy on Node-RED's log. The first argument of each call is a log entry. */
    log(): { args: readonly (readonly unknown[])[] };
  }

  const helper: Helper;
  export = helper;
}
