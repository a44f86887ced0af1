import { type Flags, flagValue } from '../command.js';
import type { Io } from '../io.js';

/** On whose behalf: `--by`, or the user's name. */
export const byWhom = (flags: Flags, { env }: Pick<Io, 'env'>): string =>
  flagValue(flags, 'by') ?? (env.USER || env.LOGNAME || 'operator');
