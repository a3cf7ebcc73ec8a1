import path from 'node:path';
import { z } from '@herald-speech/client';

const manifest = z.object({ 'node-red': z.object({ nodes: z.record(z.string(), z.string()) }) });

const { nodes } = manifest.parse(require('../../../package.json'))['node-red'];

/** The types of the nodes that `package.json` registers, such as `herald-credits`. */
export const nodeTypes = Object.keys(nodes);

/** The file names of these nodes without extension, such as `credits`. */
export const nodeNames = Object.values(nodes).map((file) => path.basename(file, '.js'));
