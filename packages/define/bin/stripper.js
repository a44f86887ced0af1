/** @typedef {(text: string, filename: string) => string} Strip */

/** @type {Promise<Strip> | undefined} */
let loaded;

/**
 * Takes the types out of a file. They become blanks, so that every line and column stays; what blanks cannot do,
 * such as `enum`, is rewritten. Loaded when first needed: most projects can do without.
 */
export function loadStripper() {
  loaded ??= import('@swc/wasm-typescript').then(({ transformSync }) => (text, filename) => {
    try {
      return transformSync(text, { mode: 'strip-only', module: true, filename }).code;
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error)?.code !== 'UnsupportedSyntax') throw error;
      return transformSync(text, { mode: 'transform', module: true, filename }).code;
    }
  });
  return loaded;
}
