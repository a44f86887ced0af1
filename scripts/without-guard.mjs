// @ts-check

/**
 * A source in which one guard answers false, whatever it is asked, or one guarded step is left out.
 *
 * @param {string} code
 * @param {string} guard
 */
export const withoutGuard = (code, guard) =>
  code.replace(/\b(guard|guarded)\((\s*)'([\w.-]+)'/g, (call, form, space, name) =>
    name === guard ? `(${OFF[form]})(${space}'${name}'` : call,
  );

/** @type {Readonly<Record<string, string>>} */
const OFF = { guard: '(..._) => false', guarded: '(_name, _step, without) => without' };
