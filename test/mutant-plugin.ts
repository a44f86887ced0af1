import type { Plugin } from 'vite';
import { withoutGuard } from '../scripts/without-guard.mjs';

/**
 * With `PACKAGE:GUARD`, such as `packages/prompt:gate.trust`, switches that guard off in the sources of that package.
 * With nothing, does nothing.
 */
export function mutant(target = ''): Plugin {
  const colon = target.indexOf(':');
  const folder = `/${target.slice(0, colon)}/src/`;
  return {
    name: 'cuebook-mutant',
    enforce: 'pre',
    transform(code, id) {
      return colon > 0 && id.includes(folder) ? withoutGuard(code, target.slice(colon + 1)) : null;
    },
  };
}
