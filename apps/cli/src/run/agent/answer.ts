import { randomUUID } from 'node:crypto';
import { join, relative } from 'node:path';
import type { ApprovalView } from '@cuebook/api';
import type { RunId } from '@cuebook/journal';
import { commandLine } from '@cuebook/prompt/hint';
import { type ApprovalWord, type ThreadCall, tellThread, threadKind } from '@cuebook/thread';
import { type Call, type Flags, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { typed } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { openCalled } from '../../project/target.js';
import { journalPlace, withOpened } from '../../record/journal.js';
import { contextOf, requireProject, requireVault } from './open.js';
import { run as runAgent } from './run.js';

type Word = Omit<ApprovalWord, 'approval' | 'id'>;

/**
 * Answers what a thread wants to do. The answer is on record first, whatever becomes of this process; then the thread
 * goes on here, or in the process that has it. One whose script lies outside the project goes on with the command that
 * is printed.
 */
export async function answerThread(call: Call, row: ApprovalView, word: Word): Promise<number> {
  const { flags, io } = call;
  const { target } = row;
  if (target === null || !target.startsWith('agent:'))
    throw usage(`${row.id} is answered in the program that runs it`);
  const { bench } = await openCalled({ args: [target], flags: projectOf(flags), io });
  const state = await withOpened(await journalPlace(flags, io), async (journal) => {
    const run = row.run as RunId;
    const live = await requireProject(run, bench, journal);
    try {
      const place = { vault: await requireVault(journal), context: await contextOf(bench, io) };
      const told = await tellThread(
        { ...place, live, store: journal.store, run, kind: threadKind(run), id: randomUUID() },
        { approval: row.id, ...word },
      );
      if (!told.ok) throw new Failure(told.error.code, told.error.message, { exit: 1 });
      return told.value;
    } finally {
      await live.close();
    }
  });
  if (!isOn(flags, 'json')) io.err(`Answered ${row.id}\n`);
  const next = { ...call, args: [target] };
  if (state.call === undefined) return onRecord(call, row, `To go on with ${target}:`);
  try {
    return await runAgent({ ...next, flags: flagsFor(call, bench.folder, row.run, state.call) });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'E_THREAD_HELD') throw error;
    return onRecord(call, row, `${error.message} It goes on there. To look at it afterwards:`);
  }
}

const projectOf = (flags: Flags): Flags => {
  const project = flagValue(flags, 'project');
  return project === undefined ? {} : { project };
};

/** The flags of the call that goes on: those that the thread was begun with, seen from here. */
const flagsFor = (
  { flags, io }: Call,
  folder: string,
  run: string,
  { provider, model, script }: ThreadCall,
): Flags => ({
  thread: run,
  ...projectOf(flags),
  ...(provider === undefined ? {} : { provider }),
  ...(model === undefined ? {} : { model }),
  ...(script === undefined ? {} : { script: relative(io.cwd, join(folder, script)) }),
  ...(isOn(flags, 'json') ? { json: true as const } : {}),
});

/** The answer is taken; who knows what the thread was begun with, or has it, goes on. */
async function onRecord(
  { flags, io }: Call,
  { id, run, target }: ApprovalView,
  how: string,
): Promise<number> {
  const command = typed(io, commandLine`run ${target ?? 'agent:NAME'} --thread ${run}`);
  if (isOn(flags, 'json')) await printJson(io, { approval: id, run, status: 'answered', command });
  else io.err(`The answer is on record. ${how}\n  ${command}\n`);
  return 0;
}
