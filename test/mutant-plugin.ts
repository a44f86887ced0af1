import type { Plugin } from 'vitest/config';
import { withoutGuard } from '../scripts/without-guard.mjs';

/**
 * With `PACKAGE:GUARD`, such as `packages/prompt:gate.trust`, switches that guard off in the sources of that package.
 * With nothing, does nothing.
 */
export function mutant(target = ''): Plugin {
  const colon = target.indexOf(':');
  const folder = `/${target.slice(0, colon)}/src/`;
  const guard = target.slice(colon + 1);
  const changes = (id: string, code: string): boolean =>
    colon > 0 && id.includes(folder) && withoutGuard(code, guard) !== code;
  return {
    name: 'cuebook-mutant',
    enforce: 'pre',
    // What is kept of a file between runs is what it is without a mutant.
    configureVitest({ experimental_defineCacheKeyGenerator: keyBy }) {
      keyBy(({ id, sourceCode }) => (changes(id, sourceCode) ? false : undefined));
    },
    transform(code, id) {
      return changes(id, code) ? withoutGuard(code, guard) : null;
    },
  };
}
