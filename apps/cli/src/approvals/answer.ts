import { join, relative, resolve } from 'node:path';
import type { ApprovalView, Client, JsonValue } from '@cuebook/api';
import { type NotedCall, type Reply, readRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { commandLine, shellWord } from '@cuebook/prompt/hint';
import { type Call, type Flags, flagValue, isOn } from '../command.js';
import { Failure, usage } from '../failure.js';
import { typed } from '../hint/typed.js';
import { printJson } from '../output/json.js';
import { journalPlace, withOpened } from '../record/journal.js';
import { problemOf } from '../run/door.js';
import { keptFlags } from '../run/kept-flags.js';
import { serverDoor, watchHosted } from '../run/server-door.js';
import { follow } from '../run/team/run.js';
import { withServer } from '../team/connect.js';
import { requireAnswer } from '../team/require.js';

/**
 * Answers what waits in a run of any kind. The answer is on record first, whatever becomes of this process. At the
 * server of the project the run goes on there; at one of this process it is shown until it stands still. A run that
 * cannot go on here goes on with the command that is printed.
 */
export function answerWaiting(call: Call, row: ApprovalView, reply: Reply): Promise<number> {
  if (row.kind === 'agent') throw usage(`${row.id} is answered in the program that runs it`);
  const { run: of, id } = row;
  const said = 'texts' in reply ? 'answer' : reply.decision;
  return withServer(call, async (connected) => {
    const { client, isOwn } = connected;
    const { io, flags } = call;
    const { seq: after } = requireAnswer(await client.getReport({ run: of }));
    await give(client, row, reply);
    if (isOwn && row.kind === 'team') return follow(call, connected, of, { after });
    if (!isOn(flags, 'json')) io.err(`${DONE[said]} ${id}\n`);
    if (isOwn) return goOn(call, row, { client, after, said });
    const report = row.kind === 'team' ? { run: of } : requireAnswer(await client.getReport({ run: of }));
    if (isOn(flags, 'json')) await printJson(io, { approval: id, decision: said, ...report });
    return 0;
  });
}

const DONE = { allow: 'Allowed', deny: 'Denied', change: 'Changed and allowed', answer: 'Answered' } as const;

/** Gives the answer to what waits; one that does not fit is a wrong call, with a command that does. */
async function give(client: Client, { run, id, command }: ApprovalView, reply: Reply): Promise<void> {
  const given = 'texts' in reply ? { texts: reply.texts.length === 0 ? [''] : [...reply.texts] } : reply;
  const answer = await client.answerWait({ run, wait: id, reply: given });
  if (answer.ok) return;
  const { code, message, status } = answer.error;
  if (code === 'E_REPLY') throw usage(`${message} (\`${command}\`)`);
  if (code === 'E_RUN_CALL') throw usage(`Continue it with: \`${command}\``);
  // What stands against an answer that fits is a no, and no wrong call.
  if (status === 400) throw new Failure(code, message, { exit: 1 });
  requireAnswer(answer);
}

interface Going {
  readonly client: Client;
  readonly after: number;
  readonly said: keyof typeof DONE;
}

/** Shows a run that goes on at the server of this process, as the command that began it does. */
async function goOn(call: Call, row: ApprovalView, { client, after, said }: Going): Promise<number> {
  const { io, flags } = call;
  const run = row.run as RunId;
  return withOpened(await journalPlace(flags, io), async (journal) => {
    const { call: noted } = await readRunNote(journal.home, run);
    const going: Call = { ...call, args: [noted?.target ?? row.target ?? ''], flags: flagsOf(call, noted) };
    const { waits, detail } = requireAnswer(await client.getReport({ run }));
    const problem = problemOf(waits);
    if (problem !== undefined) return onRecord(going, row, { problem, voice: detail.provider });
    const how = { call: going, journal, run, after };
    const door = serverDoor(client, going);
    if (row.kind === 'workflow') return (await import('../run/workflow/run.js')).showRun(door, how);
    if (row.kind === 'thread') {
      const { readAgentCall } = await import('../run/agent/target.js');
      const { showThread } = await import('../run/agent/run.js');
      // A thread that has begun has the definitions of its beginning.
      const begun = { ...going, flags: { ...going.flags, run } };
      return showThread(door, { ...how, cursor: { seq: after }, wanted: await readAgentCall(begun) });
    }
    await watchHosted(client, { run, after, io, isOwn: true, show: () => undefined });
    const report = requireAnswer(await client.getReport({ run }));
    if (isOn(flags, 'json')) await printJson(io, { approval: row.id, decision: said, ...report });
    return report.status === 'done' ? 0 : 1;
  });
}

/** The flags of the call that goes on: those that the run was called with, seen from here. */
function flagsOf({ flags, io }: Call, { provider, model, scriptFile }: Partial<NotedCall> = {}): Flags {
  const project = flagValue(flags, 'project');
  const folder = resolve(io.cwd, project ?? '.');
  return {
    ...(project === undefined ? {} : { project }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(scriptFile === undefined ? {} : { script: relative(io.cwd, join(folder, scriptFile)) }),
    ...(isOn(flags, 'json') ? { json: true as const } : {}),
  };
}

/** The answer is taken. Who knows how the run was called goes on with it, or who fixes what keeps it from going on. */
async function onRecord(
  { args: [target], flags, io }: Call,
  { id, run, kind }: ApprovalView,
  { problem, voice }: { readonly problem: string; readonly voice: JsonValue | undefined },
): Promise<number> {
  const [code = '', ...words] = problem.split(' ');
  const isUnknown = code === 'E_RUN_CALL';
  const named = target?.includes(':') ? target : `${kind}:DIR`;
  const spoken =
    voice === 'rehearsal'
      ? ' --script FILE'
      : typeof voice === 'string'
        ? ` --provider ${shellWord(voice)}`
        : '';
  const line = `${commandLine`run ${named}`}${isUnknown ? spoken : keptFlags(flags)} --run ${run}`;
  const command = typed(io, line);
  const how = isUnknown ? `To go on with ${target}:` : 'When what follows is fixed, go on with:';
  if (!isOn(flags, 'json')) io.err(`The answer is on record. ${how}\n  ${command}\n`);
  if (!isUnknown) throw new Failure(code, words.join(' '), { exit: 1 });
  if (isOn(flags, 'json')) await printJson(io, { approval: id, run, status: 'answered', command });
  return 0;
}
