'use strict';

const path = require('node:path');

module.exports = {
  // An absolute path, because processes of the tests inherit it and run in other folders.
  'node-option': [`require=${path.join(__dirname, 'test/support/typescript.cjs')}`],
  require: ['./test/support/root-hooks.ts'],
  timeout: 180_000,
  'forbid-only': true,
  'forbid-pending': true,
};
