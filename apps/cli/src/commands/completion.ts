import { nearest } from '@cuebook/prompt';

import { type CommandHandler, isOn, visible } from '../command.js';
import { SCRIPTS } from '../completion/scripts.js';
import { usage } from '../failure.js';
import { printJson } from '../output/json.js';

/** `cuebook completion`: a script for one shell. */
export const run: CommandHandler = async ({ args, flags, io, tree }) => {
  const shell = args[0] ?? '';
  const write = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell as keyof typeof SCRIPTS] : undefined;
  if (write === undefined) {
    const meant = nearest(shell, Object.keys(SCRIPTS));
    const advice = meant === undefined ? 'Known shells: bash, zsh, fish' : `Did you mean ${meant}?`;
    throw usage(`No completion for the shell "${shell}". ${advice}`);
  }
  const script = write(visible(tree.commands));
  await (isOn(flags, 'json') ? printJson(io, { shell, script }, { exact: true }) : io.exact(script));
  return 0;
};
