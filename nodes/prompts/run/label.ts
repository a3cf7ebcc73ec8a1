import path from 'node:path';
import type { Node } from 'node-red';

/** Returns the name of a set of prompts: of the node, or of its folder. */
export const labelOf = ({ name }: Pick<Node, 'name'>, folder: string): string =>
  name !== undefined && name !== '' ? name : path.basename(folder);
