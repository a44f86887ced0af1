export { ALL_CODES } from './all-codes.js';
export { CLI_CODES } from './codes.js';
export type { Argument, Command, Flag } from './command.js';
export { COMMANDS } from './commands.js';
export type { Io } from './io.js';
export { run } from './run.js';
export { VERSION } from './version.js';
