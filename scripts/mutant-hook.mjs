// @ts-check
import { register } from 'node:module';

// Loaded with `--import` into every process of a mutant run, so that a command line or server started by
// a test is mutated too: it runs built files, which vite never sees. The command runs from its modules then, not from
// its bundle, in which no module can be replaced.

const target = process.env.CUEBOOK_MUTANT ?? '';
const colon = target.indexOf(':');
const suffix = JSON.stringify(`/${target.slice(0, colon)}/dist/guard.js`);
const guard = JSON.stringify(target.slice(colon + 1));
const source = JSON.stringify(`export const guard = (name, found) => name === ${guard} ? false : found;`);

const hooks = `
export const resolve = (name, context, next) =>
  next(name.endsWith('/dist/bin/main.js') ? name.replace('/bin/main.js', '/main.js') : name, context);
export const load = (url, context, next) => url.endsWith(${suffix})
  ? { format: 'module', shortCircuit: true, source: ${source} }
  : next(url, context);
`;

if (colon > 0) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
