#!/usr/bin/env node
/* This file exists before the build, because npm links a command only if its file exists during the installation. */
require('../dist/cli/cli.js');
