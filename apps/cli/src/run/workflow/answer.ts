import { randomUUID } from 'node:crypto';
import { join, relative } from 'node:path';
import type { ApprovalView } from '@cuebook/api';
import { openFolder } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';
import { commandLine, shellWord } from '@cuebook/prompt/hint';
import { providerCatalog } from '@cuebook/provider';
import { type RunCall, type Told, tellRun } from '@cuebook/workflow';
import { type Call, type Flags, flagValue, isOn } from '../../command.js';
import { Failure } from '../../failure.js';
import { typed } from '../../hint/typed.js';
import { printJson } from '../../output/json.js';
import { requireFile } from '../../project/named-file.js';
import { requireProviders } from '../../project/providers.js';
import { workflowFolder } from '../../project/workflow-folder.js';
import { withOpened } from '../../record/journal.js';
import { placeOf } from './open.js';
import { commandFor } from './report.js';
import { carryOut } from './run.js';
import { type PersonAnswer, wordFor } from './word.js';

/**
 * Answers what a workflow waits for. The answer is on record first, whatever becomes of this process; then the run
 * goes on here, or in the process that has it. A run whose package or script lies outside the project goes on with
 * the command that is printed.
 */
export async function answerWorkflow(call: Call, row: ApprovalView, said: PersonAnswer): Promise<number> {
  const { flags, io } = call;
  const word = wordFor(row, said);
  const folder = await workflowFolder(flags, io);
  const voices = await repeatable(folder);
  const told = await withOpened(placeOf(folder, io), ({ store }) =>
    tellRun(
      { store, run: row.run as RunId, id: randomUUID(), mayRepeat: (voice) => voices.has(voice) },
      word,
    ),
  );
  if (!told.ok) throw new Failure(told.error.code, told.error.message, { exit: 1 });
  if (!isOn(flags, 'json')) io.err(`Answered ${row.id}\n`);
  const { facts, voice } = told.value;
  const next = facts.call;
  const named = next?.provider ?? (next?.script === undefined ? undefined : 'rehearsal');
  // Somebody went on with another voice than the run was begun with: they know with which.
  const isSame = voice === null || named === undefined || voice === named;
  if (next === undefined || !isSame) return tellNext(call, row, told.value);
  const going = { ...call, args: [next.target], flags: flagsFor(call, folder, row.run, next) };
  try {
    return await carryOut(going, 'watch');
  } catch (error) {
    if (error instanceof Failure && !isOn(flags, 'json')) io.err(`${onRecord(going, row.run)}\n`);
    throw error;
  }
}

/** What cannot go on now has its answer all the same. */
const onRecord = (going: Call, run: string): string =>
  `The answer is on record. When what follows is mended, go on with:\n  ${commandFor({ run: run as RunId, status: { kind: 'working' } }, going)}`;

/** Providers whose turns change nothing by themselves: a turn that was cut off may be taken again. */
async function repeatable(folder: string): Promise<ReadonlySet<string>> {
  const files = requireFile(await openFolder(folder, { access: 'ro' }), 'the project');
  const catalog = providerCatalog(await requireProviders(files));
  return new Set(catalog.filter(({ kind }) => kind !== 'cli').map(({ name }) => name));
}

/** The flags of the call that goes on: those that the run was begun with, seen from here. */
function flagsFor(
  { flags, io }: Call,
  folder: string,
  run: string,
  { provider, model, script }: RunCall,
): Flags {
  const project = flagValue(flags, 'project');
  return {
    run,
    ...(project === undefined ? {} : { project }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(script === undefined ? {} : { script: relative(io.cwd, join(folder, script)) }),
    ...(isOn(flags, 'json') ? { json: true as const } : {}),
  };
}

/** The answer is taken; who knows what the run was begun with goes on with it. */
async function tellNext(
  { flags, io }: Call,
  { id, run }: ApprovalView,
  { facts, voice }: Told,
): Promise<number> {
  const target = facts.call?.target ?? 'workflow:DIR';
  const provider = voice === null || voice === 'rehearsal' ? '' : ` --provider ${shellWord(voice)}`;
  const script = voice === 'rehearsal' ? ' --script FILE' : '';
  const command = typed(io, `${commandLine`run ${target}`}${provider}${script} --run ${run}`);
  const about = facts.call === undefined ? `${facts.package}#${facts.workflow}` : target;
  if (isOn(flags, 'json')) await printJson(io, { approval: id, run, status: 'answered', command });
  else io.err(`The answer is on record. To go on with ${about}:\n  ${command}\n`);
  return 0;
}
