import { join, resolve } from 'node:path';
import { describeFileError, openFolder } from '@cuebook/files';
import { describeJournalError, JournalFailure } from '@cuebook/journal';
import { type HomeError, type OpenPlatform, openPlatform } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import type { Flags } from '../command.js';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { requireFile } from '../project/named-file.js';
import { journalFailure, journalPlace, requireOwner } from '../record/journal.js';

/** Where the platform is: CUEBOOK_PLATFORM, or `platform` in CUEBOOK_HOME (`.cuebook` in the project). */
export async function platformFolder(flags: Flags, io: Io): Promise<string> {
  const { CUEBOOK_PLATFORM: named } = io.env;
  if (named) return resolve(io.cwd, named);
  try {
    return join((await journalPlace(flags, io)).home, 'platform');
  } catch (error) {
    // Where there is no project there is no platform either, and that is what was asked for.
    if (error instanceof Failure && error.code === 'E_NO_PROJECT')
      throw homeFailure({ code: 'E_PLATFORM_HOME', reason: 'none', what: 'platform.json' });
    throw error;
  }
}

/** Opens the platform, does the work and closes it. */
export async function withPlatform(
  flags: Flags,
  io: Io,
  work: (platform: OpenPlatform) => Promise<number>,
  { withoutKeys = false }: { readonly withoutKeys?: boolean } = {},
): Promise<number> {
  const shared = io.env.CUEBOOK_DATABASE_URL ? await sharedPlace(flags, io) : {};
  const opened = await openPlatform(await platformFolder(flags, io), { env: io.env, withoutKeys, ...shared });
  if (!opened.ok) throw homeFailure(opened.error);
  try {
    return await work(opened.value);
  } catch (error) {
    throw error instanceof JournalFailure ? journalFailure(error.error) : error;
  } finally {
    await opened.value.close();
  }
}

/** The database of the project, which holds its records as well: no other project's may be in it. */
async function sharedPlace(flags: Flags, io: Io) {
  const where = await journalPlace(flags, io);
  const home = requireFile(await openFolder(where.home, { create: 'ignored' }), 'CUEBOOK_HOME');
  return { place: where.place, owner: await requireOwner(home, where) };
}

/** Why the platform cannot be opened: the environment lacks something. */
export function homeFailure(error: HomeError): Failure {
  if (error.code !== 'E_PLATFORM_HOME') {
    const message = 'path' in error ? describeFileError(error) : describeJournalError(error);
    return new Failure(error.code, message, { exit: 3 });
  }
  const messages = {
    none: `There is no platform here. To try things out, make one with ${hint`platform init --rehearsal`}; for real use with ${hint`platform init --keys DIR --keys DIR --keys DIR`}. One that is elsewhere is named by CUEBOOK_PLATFORM.`,
    damaged: `${error.what} of the platform is missing or is not what was written. Restore it from a backup${replaced(error.what)}.`,
    'no-store-keys': `The keys of the store are not in the environment: ${error.what} and its secret are missing.`,
  };
  return new Failure(error.code, messages[error.reason], { exit: 3 });
}

/** A key of the server need not be had back: holders of root keys replace it. */
function replaced(what: string): string {
  const [, role] = /^keys\/(online|log)\.pem$/.exec(what) ?? [];
  return role === undefined
    ? ''
    : `, or give the server another key: ${hint`platform rotate ${role} --key FILE`}`;
}
