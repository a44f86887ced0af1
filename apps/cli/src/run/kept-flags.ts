import { shellWord } from '@cuebook/prompt/hint';
import { type Flags, flagValue } from '../command.js';

/** The flags that say who speaks, as a command that goes on with the run needs them again. */
export const keptFlags = (flags: Flags): string =>
  ['provider', 'model', 'script']
    .flatMap((name) => {
      const value = flagValue(flags, name);
      return value === undefined ? [] : [` --${name} ${shellWord(value)}`];
    })
    .join('');
