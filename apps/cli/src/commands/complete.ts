import { openFolder } from '@cuebook/files';
import type { Store } from '@cuebook/journal';
import { findTargets } from '@cuebook/profile';
import { type Call, type CommandHandler, type ValueKind, visible } from '../command.js';
import { type Candidate, startingWith, wantedAt } from '../completion/candidates.js';
import { SCRIPTS } from '../completion/scripts.js';
import { Failure } from '../failure.js';
import type { Io } from '../io.js';
import { findProject } from '../project/find.js';
import { requireFile } from '../project/named-file.js';
import { flagsWithInputs } from '../table/inputs.js';

/**
 * `cuebook __complete -- WORDS`: one candidate a line, with its description behind a tab. Whatever is wrong,
 * it answers nothing: a shell is waiting at a prompt.
 */
export const run: CommandHandler = async (call) => {
  const { args, io } = call;
  const { commands } = call.tree;
  const words = args[0] === '--' ? args.slice(1) : args;
  const wanted = wantedAt(commands, words, flagsWithInputs);
  const found =
    wanted.kind === 'candidates'
      ? wanted.candidates
      : startingWith(await listValues(wanted.values, words, call), wanted.prefix);
  for (const { value, description } of found) await io.exact(`${value}\t${description}\n`);
  return 0;
};

async function listValues(
  kind: ValueKind,
  words: readonly string[],
  { io, tree }: Call,
): Promise<readonly Candidate[]> {
  switch (kind) {
    case 'target':
    case 'target-or-path':
      return listTargets(words, io);
    case 'command-or-code': {
      const { ALL_CODES } = await import('../all-codes.js');
      return [
        ...visible(tree.commands).map(({ name, summary }) => ({ value: name, description: summary })),
        ...Object.entries(ALL_CODES).map(([value, { title }]) => ({ value, description: title })),
      ];
    }
    case 'shell':
      return Object.keys(SCRIPTS).map((value) => ({ value, description: '' }));
    case 'run':
      return listRuns(words, io);
    case 'approval':
      return listApprovals(words, io);
    case 'path':
      // The shell knows files better.
      return [];
  }
}

async function listRuns(words: readonly string[], io: Io): Promise<readonly Candidate[]> {
  const { timeText } = await import('../record/event-text.js');
  return fromJournal(words, io, async (store) =>
    (await store.runs()).map(({ run: id, lastAt }) => ({ value: id, description: timeText(lastAt) })),
  );
}

async function listApprovals(words: readonly string[], io: Io): Promise<readonly Candidate[]> {
  const { readApprovals } = await import('@cuebook/engine');
  return fromJournal(words, io, async (store) =>
    (await readApprovals(store)).map(({ id, tool }) => ({ value: id, description: tool })),
  );
}

async function fromJournal(
  words: readonly string[],
  io: Io,
  list: (store: Store) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const { withJournal } = await import('../record/journal.js');
  const at = words.indexOf('--project');
  const flags = at === -1 ? {} : { project: words[at + 1] ?? '' };
  const found: Candidate[] = [];
  try {
    await withJournal(flags, io, async (journal) => {
      if (journal !== undefined) found.push(...(await list(journal.store)));
      return 0;
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  return found;
}

async function listTargets(words: readonly string[], io: Io): Promise<readonly Candidate[]> {
  const { profilesFor } = await import('../project/profiles.js');
  const at = words.indexOf('--project');
  try {
    const folder = await findProject(io.cwd, at === -1 ? undefined : words[at + 1]);
    const project = requireFile(await openFolder(folder, { access: 'ro' }), folder);
    return (await findTargets({ profiles: await profilesFor({}), project })).map((value) => ({
      value,
      description: '',
    }));
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
