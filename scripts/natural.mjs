// Implements `npm run natural`: installs the optional package of the natural voices in this checkout. Tests need it.
// `npm start` works without it, and uses it if it is installed.
import { prepare, prepareNatural } from './prepare.mjs';

prepare();
prepareNatural();
