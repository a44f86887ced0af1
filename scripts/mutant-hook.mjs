// @ts-check
import { register } from 'node:module';

// Loaded with `--import` into every process of a mutant run, so that a command line or server started by
// a test is mutated too: it runs built files, which vite never sees. The command runs from its modules then, not from
// its bundle, in which no module can be replaced.

const target = process.env.CUEBOOK_MUTANT ?? '';
const colon = target.indexOf(':');
const folder = JSON.stringify(`/${target.slice(0, colon)}/dist/`);
const guard = JSON.stringify(target.slice(colon + 1));

const hooks = `
import { withoutGuard } from ${JSON.stringify(new URL('./without-guard.mjs', import.meta.url).href)};
export const resolve = (name, context, next) =>
  next(name.endsWith('/dist/bin/main.js') ? name.replace('/bin/main.js', '/main.js') : name, context);
export const load = async (url, context, next) => {
  const loaded = await next(url, context);
  return url.includes(${folder}) && loaded.format === 'module' && loaded.source
    ? { ...loaded, source: withoutGuard(Buffer.from(loaded.source).toString(), ${guard}) }
    : loaded;
};
`;

if (colon > 0) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
