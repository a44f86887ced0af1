import { type ProjectKey, printProjectKey, readRing, rotateKey } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import { type Call, type CommandHandler, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { unknownAction } from '../input/one-of.js';
import { printJson } from '../output/json.js';
import { journalPlace, keyFailure, requireOwner, withOpened } from '../record/journal.js';
import { findRunning } from '../team/connect.js';

const ACTIONS = ['show', 'rotate', 'share'];

/** `cuebook keys [ACTION]`: the keys that sign the records of this home. */
export const run: CommandHandler = async (call) => {
  const { args, flags, io } = call;
  const [action = 'show', ...more] = args;
  if (!ACTIONS.includes(action)) throw unknownAction(action, ACTIONS);
  if (more.length > 0) throw usage(`${hint`keys ${action}`} takes no more words`);
  const where = await journalPlace(flags, io);
  return withOpened(where, async ({ home, store }) => {
    if (action === 'share') return share(call, (await requireOwner(home, where)).projectKey);
    if (action === 'rotate') {
      // It would go on signing with the old key.
      if ((await findRunning(call)) !== undefined)
        throw new Failure(
          'E_SERVER_RUNNING',
          'A server is up for this project. End it, then rotate the key.',
        );
      const rotated = await rotateKey(home, Date.now());
      if (!rotated.ok) throw keyFailure(rotated.error);
      // Opened again: the records take up how the new key followed the old one.
      await withOpened(where, async () => undefined);
      const { from, to } = rotated.value;
      if (isOn(flags, 'json')) await printJson(io, { from: from.fingerprint, to: to.fingerprint });
      else await io.out(`Replaced key ${from.fingerprint}\nNow signing with ${to.fingerprint}\n`);
      return 0;
    }
    const { signer, publicKeys, keys } = await requireOwner(home, where);
    const { replaced } = readRing(publicKeys, keys);
    const shown = [...publicKeys.keys()].map((fingerprint) => {
      const until = replaced.get(fingerprint);
      const use = fingerprint === signer.fingerprint ? 'signs' : until === undefined ? 'trusted' : 'replaced';
      return { fingerprint, use, ...(until === undefined ? {} : { until: new Date(until).toISOString() }) };
    });
    const machines = (await store.members()).map(({ fingerprint, name, at }) => ({
      fingerprint,
      name,
      joined: new Date(at).toISOString(),
    }));
    if (isOn(flags, 'json')) await printJson(io, { keys: shown, machines });
    else {
      for (const { fingerprint, name, joined } of machines)
        await io.out(`${fingerprint} machine ${name} ${joined}\n`);
      for (const { fingerprint, use, until } of shown)
        await io.out(`${[fingerprint, use, until ?? []].flat().join(' ')}\n`);
    }
    return 0;
  });
};

/** The line that another machine needs to work on this project. It is asked for by name, so it is printed. */
async function share({ flags, io }: Call, key: ProjectKey | undefined): Promise<number> {
  if (key === undefined)
    throw new Failure(
      'E_JOURNAL_PROJECT_KEY',
      'The records of this project lie in a file, which one machine has. Name a database with CUEBOOK_DATABASE_URL first.',
    );
  const text = printProjectKey(key);
  if (isOn(flags, 'json'))
    await printJson(io, { project: key.project, CUEBOOK_PROJECT_KEY: text }, { exact: true });
  else await io.exact(`${text}\n`);
  return 0;
}
