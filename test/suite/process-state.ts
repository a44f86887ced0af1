/** What test files that share a process could change for each other, by name. Values are compared by identity. */
export type ProcessState = ReadonlyMap<string, unknown>;

/** The state of this process. */
export function processState(): ProcessState {
  const state = new Map<string, unknown>([
    ['the working folder', process.cwd()],
    ['the mask of new files', process.umask()],
    ['the title', process.title],
  ]);
  for (const [name, value] of Object.entries(process.env)) state.set(`the variable ${name}`, value);
  for (const event of WATCHED) state.set(`listeners of ${event}`, process.listenerCount(event));
  for (const [name, holder] of HOLDERS) {
    for (const [key, value] of valuesOf(holder)) state.set(`${name}${key}`, value);
  }
  return state;
}

/** The names of what differs, sorted. */
export function changedIn(before: ProcessState, after: ProcessState): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names]
    .filter((name) => !REPLACED.has(name))
    .filter((name) => before.get(name) !== LAZY && (before.has(name) || !OF_A_LIBRARY.test(name)))
    .filter((name) => before.has(name) !== after.has(name) || !Object.is(before.get(name), after.get(name)))
    .sort();
}

/** Whoever listens to these decides for the whole process. */
const WATCHED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'warning'];

/** Objects that everything in the process sees. */
const HOLDERS: readonly (readonly [name: string, holder: object])[] = [
  ['', globalThis],
  ['console.', console],
  ['Math.', Math],
  ['Date.', Date],
  ['JSON.', JSON],
  ['Object.prototype.', Object.prototype],
  ['Array.prototype.', Array.prototype],
  ['String.prototype.', String.prototype],
  ['Promise.prototype.', Promise.prototype],
];

/** What @hono/node-server puts its own in the place of, once, when it first serves. */
const REPLACED: ReadonlySet<string> = new Set(['Request', 'Response']);

/** What a library keeps once for all its copies, from when it is first loaded. */
const OF_A_LIBRARY = /^__/;

/** What is computed when it is read; Node puts a value in its place when somebody first reads it. */
const LAZY = Symbol('lazy');

/** The values that an object holds itself. */
function valuesOf(holder: object): readonly (readonly [key: string, value: unknown])[] {
  return Object.getOwnPropertyNames(holder).map((key) => {
    const held = Object.getOwnPropertyDescriptor(holder, key);
    return [key, held && 'value' in held ? held.value : LAZY] as const;
  });
}
