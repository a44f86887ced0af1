import { createRequire } from 'node:module';

/** @typedef {(text: string, filename: string) => string} Strip */

/** @type {Strip | undefined} */
let loaded;

/**
 * Takes the types out of a file. They become blanks, so that every line and column stays; what blanks cannot do,
 * such as `enum`, is rewritten. Loaded when first needed: most projects can do without. It is required, because an
 * `import` would first search its megabytes for the names that it exports, which takes longer than to run it.
 *
 * @returns {Strip}
 */
export function loadStripper() {
  if (loaded !== undefined) return loaded;
  /** @type {typeof import('@swc/wasm-typescript')} */
  const { transformSync } = createRequire(import.meta.url)('@swc/wasm-typescript');
  loaded = (text, filename) => {
    try {
      return transformSync(text, { mode: 'strip-only', module: true, filename }).code;
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error)?.code !== 'UnsupportedSyntax') throw error;
      return transformSync(text, { mode: 'transform', module: true, filename }).code;
    }
  };
  return loaded;
}
