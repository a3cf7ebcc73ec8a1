import { promptFields, promptProperties } from './prompts/run/fields.js';
import { forgetRun, continueRun } from './prompts/run/saved-run.js';
import { controlRun, keepNodeState } from './prompts/run/node-state.js';
import { processTable } from './prompts/run/process-table.js';
import { defineNode } from './lib/define-node.js';

/** Makes the prompt files of a table. */
export = defineNode({
  type: 'herald-prompts',
  request: promptFields,
  speaks: true,
  label: ['csv_file', 'folder'],
  below: 'prompts',
  properties: promptProperties,
  open(RED, node, context) {
    const release = keepNodeState(node, context);
    const stopWaiting = continueRun(RED, node, context);
    return (isRemoved) => {
      stopWaiting();
      release();
      if (isRemoved) void forgetRun(RED, node.id);
    };
  },
  control: controlRun,
  speak: processTable,
});
