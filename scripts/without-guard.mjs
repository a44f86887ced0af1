// @ts-check

/**
 * A source in which one guard answers false, whatever it is asked.
 *
 * @param {string} code
 * @param {string} guard
 */
export const withoutGuard = (code, guard) =>
  code.replace(/\bguard\((\s*)'([\w.-]+)'/g, (call, space, name) =>
    name === guard ? `((..._) => false)(${space}'${name}'` : call,
  );
