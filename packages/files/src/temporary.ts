import { randomBytes } from 'node:crypto';

/**
 * The name of an unfinished write. Names of this form are no data: they can be neither named in a path nor
 * listed, so what a killed process leaves behind is never read. 128 random bits: nobody can guess one ahead.
 */
export function temporaryName(): string {
  return `.cuebook-${randomBytes(16).toString('hex')}.tmp`;
}

/** Letter case is ignored because some disks ignore it. */
export const isTemporaryName = (name: string): boolean => /^\.cuebook-[0-9a-f]{32}\.tmp$/i.test(name);
