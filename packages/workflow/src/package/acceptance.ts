import { describeFileError, type Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { z } from 'zod';

/** A person's word that the words of a package are as good as the project's own: for these bytes and no others. */
export type Acceptance = {
  /** `sha256:` and the hex digest of the package's bytes. */
  readonly hash: string;
  readonly name: string;
  readonly version: string;
  readonly by: string;
  readonly at: string;
};

/** The packages that people of a project have accepted. */
export interface Acceptances {
  find(hash: string): Promise<Acceptance | undefined>;
  /** By name, then by time. */
  list(): Promise<readonly Acceptance[]>;
  accept(acceptance: Acceptance): Promise<void>;
  /** False: there was none. */
  revoke(hash: string): Promise<boolean>;
}

/** Acceptances in files of CUEBOOK_HOME: one for each hash, written whole. One that cannot be read is none. */
export function createAcceptances(home: AcceptanceHome): Acceptances {
  const find = async (hash: string): Promise<Acceptance | undefined> => {
    if (!HASH.test(hash)) return undefined;
    const found = await home.readText(fileOf(hash));
    const read = found.ok ? parse(found.value) : undefined;
    return guard('package.accepted', read?.hash !== hash) ? undefined : read;
  };
  return {
    find,
    async list() {
      const listing = await home.list(FOLDER);
      const names = listing.ok ? listing.value.entries.map(({ name }) => name) : [];
      const all = await Promise.all(names.map((name) => find(`sha256:${name.replace(/\.json$/, '')}`)));
      const known = all.filter((each) => each !== undefined);
      return known.sort((a, b) => order(a.name, b.name) || order(a.at, b.at));
    },
    async accept(acceptance) {
      const made = await home.makeDirectory(FOLDER);
      const text = JSON.stringify(schema.parse(acceptance));
      const written = made.ok ? await home.writeText(fileOf(acceptance.hash), text, { mode: 0o600 }) : made;
      if (!written.ok) throw new Error(`CUEBOOK_HOME: ${describeFileError(written.error)}`);
    },
    async revoke(hash) {
      if ((await find(hash)) === undefined) return false;
      const removed = await home.remove(fileOf(hash));
      if (!removed.ok) throw new Error(`CUEBOOK_HOME: ${describeFileError(removed.error)}`);
      return true;
    },
  };
}

/** What is needed of CUEBOOK_HOME. */
export type AcceptanceHome = Pick<Files, 'readText' | 'writeText' | 'makeDirectory' | 'list' | 'remove'>;

const FOLDER = 'packages';
const HASH = /^sha256:[0-9a-f]{64}$/;
const fileOf = (hash: string): string => `${FOLDER}/${hash.slice('sha256:'.length)}.json`;

const schema = z.object({
  hash: z.string().regex(HASH),
  name: z.string(),
  version: z.string(),
  by: z.string(),
  at: z.string(),
});

function parse(text: string): Acceptance | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined; // Writes are whole, so somebody else wrote this.
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
