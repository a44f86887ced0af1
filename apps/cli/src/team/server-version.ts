import { guard } from '@cuebook/guard';
import { VERSION } from '../version.js';

/** The version that a server says it is of; empty where an older one says none. */
interface Versioned {
  readonly version: string;
}

/** Whether a server is of another version than this command. */
export const isOtherVersion = ({ version }: Versioned): boolean => guard('run.version', version !== VERSION);

/** That it is, what follows from it, and what to do. */
export const otherVersion = ({ version }: Versioned, follows: string): string =>
  `The server that is up for this project is of ${version === '' ? 'an older version' : `version ${version}`}, and this command of ${VERSION}: ${follows}. Start the server again.`;
