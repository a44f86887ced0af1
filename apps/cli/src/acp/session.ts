import { randomUUID } from 'node:crypto';
import type {
  ContentBlock,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk';
import type { ApiAnswer, Client, ReportView, WaitView } from '@cuebook/api';
import { runOf } from '@cuebook/host';
import { Failure } from '../failure.js';
import { problemOf } from '../run/door.js';
import { requireAnswer } from '../team/require.js';
import { errorText, followRun, type RunWatch, replayRun, type ToldRun } from './follow-run.js';
import { createNarrator } from './narrator.js';
import { asksPermission, permissionOf, replyOf } from './permission.js';
import { MAX_SAID, promptText } from './prompt-text.js';
import { asked, type ProjectServers } from './servers.js';
import { answerTexts, wantedText } from './told-words.js';

/** The client of a session, as far as a session talks to it. */
export interface SessionClient {
  update(sessionId: string, update: SessionUpdate): Promise<void>;
  /** Rejects when the client does not answer in kind. */
  permit(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>;
}

export interface AcpSessionOptions {
  /** The id of the session, and of its first run. */
  readonly id: string;
  /** The command that starts the first run; undefined: it has begun. */
  readonly startId: string | undefined;
  readonly folder: string;
  readonly target: string;
  readonly servers: ProjectServers;
  readonly client: SessionClient;
  /** Who speaks in runs that are started here. */
  readonly spoken: { readonly provider?: string; readonly model?: string; readonly script?: string };
  /** The client has gone. */
  readonly left: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * A session of the Agent Client Protocol: a run of the project, and, once that is over, further runs of the same target.
 * Everything that is said and decided goes to the host of the project's runs, so it is on record, goes on after a crash,
 * and can be answered elsewhere too.
 */
export interface AcpSession {
  /** One turn of the person: answers when the run stands still. */
  prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse>;
  /** Ends the turn under way. */
  cancel(): void;
  /** Finds the runs of the session on record, tells them where that is wanted, and goes on to tell what happens. */
  replay(options: { readonly isTold: boolean }): Promise<void>;
  readonly target: () => string;
  /** Another target for the next run. False: a run is open, and it stays with its own. */
  choose(target: string): boolean;
  /** The run that is open, where one has begun. */
  readonly run: () => string | undefined;
  /** Tells no more. The run goes on. */
  detach(): void;
  /** Ends the turn under way, and tells no more. */
  close(): Promise<void>;
}

export function createSession(options: AcpSessionOptions): AcpSession {
  const { id, startId, folder, servers, client, log } = options;
  let { target } = options;
  const gone = new AbortController();
  const left = AbortSignal.any([options.left, gone.signal]);
  /** Commands that this client gave: what they say it has shown already. */
  const own = new Set<string>();
  const newId = (): string => {
    const command = `acp_${randomUUID()}`;
    own.add(command);
    return command;
  };
  let current: ToldRun | undefined;
  let begun = 0;
  let isPrompting = false;
  /** Work that goes on without a prompt, and the prompt at work. */
  let background: Promise<unknown> = Promise.resolve();
  let prompting: Promise<unknown> = Promise.resolve();
  let cancel = new AbortController();

  const ask = <Value>(work: (each: Client) => Promise<ApiAnswer<Value>>): Promise<ApiAnswer<Value>> =>
    asked(servers, folder, work);
  const tell = async (updates: readonly SessionUpdate[]): Promise<void> => {
    for (const update of updates) await client.update(id, update);
  };
  const tellText = (text: string): Promise<void> =>
    tell([
      {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text },
        messageId: `cuebook/${randomUUID()}`,
      },
    ]);
  const followedRun = (run: string, startedHere: boolean): ToldRun => {
    let first: string | undefined;
    const narrator = createNarrator({
      folder,
      diffOf: async (hash) => {
        const read = await ask((each) => each.getArtifact({ run, hash }));
        return read.ok ? read.value.text : undefined;
      },
      isOwnWord: (command) => own.has(command) || (startedHere && command === first),
    });
    return {
      run,
      cursor: 0,
      narrator: {
        ...narrator,
        event(event) {
          first ??= event.command;
          return narrator.event(event);
        },
      },
    };
  };
  const following = (cancelled: AbortSignal): RunWatch => ({
    ...{ servers, folder, tell, newId, cancelled, left, log },
    ask: (wait, signal) => askPerson(wait, signal),
  });
  async function askPerson(wait: WaitView, signal: AbortSignal) {
    const call = current?.narrator.callOf(wait.id) ?? wait.id;
    try {
      const request = permissionOf(wait, { sessionId: id, call, folder });
      return replyOf(wait, await client.permit(request, signal));
    } catch (error) {
      if (!signal.aborted) log(`The client did not answer for ${wait.id}: ${errorText(error)}`);
      return undefined;
    }
  }

  /** The command that starts a run of the session. */
  const commandOf = (number: number): string => (number === 1 ? (startId ?? id) : `${id}.${number}`);
  async function begin(text: string): Promise<void> {
    if (target === '') throw new Failure('E_ACP_SESSION', NO_FILE);
    const command = commandOf(begun + 1);
    const { run } = requireAnswer(
      await ask((each) => each.startRun({ id: command, target, input: text, ...options.spoken })),
    );
    begun += 1;
    current = followedRun(run, true);
    const title = `${target}: ${text.trim().split('\n')[0]?.slice(0, 80).toWellFormed() ?? ''}`;
    await tell([{ sessionUpdate: 'session_info_update', title, _meta: { cuebook: { run } } }]);
  }
  const reportOf = async (run: string): Promise<ReportView> =>
    requireAnswer(await ask((each) => each.getReport({ run })));

  /** Says the person's words to the run that is open. False: it takes no more, and another run is started. */
  async function say(run: string, text: string): Promise<boolean> {
    const report = await reportOf(run);
    const isOver = report.status === 'done' || report.status === 'failed' || report.status === 'stopped';
    const wait = report.waits.find(({ for: what, answers }) => answers.length > 0 && what !== 'left');
    const takesWords = wait === undefined || wait.answers.includes('TEXT');
    // An answer that is lost is asked for again under the same id.
    const command = newId();
    if (wait !== undefined && (wait.answers.includes(text.trim()) || (!takesWords && !isHeld(wait)))) {
      const reply = { texts: answerTexts(wait, text) };
      requireAnswer(await ask((each) => each.answerWait({ id: command, run, wait: wait.id, reply })));
      return true;
    }
    const lane = wait?.lane ?? undefined;
    const said = await ask((each) => each.say({ id: command, run, text, ...(lane && { lane }) }));
    if (!said.ok && isOver) return false;
    requireAnswer(said);
    // A team that a person has paused hears the words when it goes on.
    if (wait !== undefined && isHeld(wait) && !takesWords) {
      const resume = newId();
      requireAnswer(await ask((each) => each.resumeRun({ id: resume, run })));
    }
    return true;
  }

  async function turn(text: string, cancelled: AbortSignal): Promise<PromptResponse> {
    if (current !== undefined) {
      // What waits for a decision goes first: words do not pass by it.
      const before = await reportOf(current.run);
      if (before.waits.some(asksPermission)) {
        const after = await followRun(current, following(cancelled));
        if (cancelled.aborted || after.waits.some(asksPermission)) return ended(after, cancelled);
      }
    }
    if (current === undefined || !(await say(current.run, text))) await begin(text);
    if (current === undefined) throw new Failure('E_INTERNAL', 'No run has begun', { exit: 1 });
    return ended(await followRun(current, following(cancelled)), cancelled);
  }

  async function ended(report: ReportView, cancelled: AbortSignal): Promise<PromptResponse> {
    const { run, kind, status, error, text } = report;
    const _meta = { cuebook: { run, status } };
    if (cancelled.aborted) return { stopReason: 'cancelled', _meta };
    const problem = problemOf(report.waits);
    if (problem !== undefined) throw new Failure('E_RUN_CALL', problem, { exit: 1 });
    if (status === 'failed')
      throw new Failure(error?.code ?? 'E_RUN_FAILED', error?.message ?? 'The run has failed.', { exit: 1 });
    // What a team has done is said by its last call, and not in words.
    if (kind === 'team' && status === 'done' && text !== '') await tellText(`\n\n${text}`);
    const wanted = status === 'idle' || status === 'done' ? '' : wantedText(report);
    if (wanted !== '') await tellText(`\n\n${wanted}`);
    return { stopReason: stopReasonOf(report), _meta };
  }

  /** Goes on to tell what happens, without a prompt. */
  function goOn(): void {
    const followed = current;
    if (followed === undefined) return;
    const cancelled = cancel.signal;
    background = followRun(followed, following(cancelled)).catch((error: unknown) => {
      if (!left.aborted) log(errorText(error));
    });
  }

  return {
    async prompt(blocks, signal) {
      if (isPrompting)
        throw new Failure(
          'E_ACP_BUSY',
          'A prompt of this session is at work: cancel it, or wait for its end.',
        );
      const text = promptText(blocks, folder);
      if (text === undefined || text === '' || text.length > MAX_SAID)
        throw new Failure('E_ACP_PROMPT', text === undefined ? NO_MEDIA : text === '' ? NO_WORDS : TOO_LONG);
      isPrompting = true;
      const cancelled = AbortSignal.any([cancel.signal, signal]);
      const work = async (): Promise<PromptResponse> => {
        await background;
        return cancelled.aborted ? { stopReason: 'cancelled' } : turn(text, cancelled);
      };
      const working = work().finally(() => {
        isPrompting = false;
        cancel = new AbortController();
      });
      prompting = working.catch(() => undefined);
      return working;
    },
    cancel() {
      const going = cancel;
      // A turn that begins afterwards is not the one that was meant.
      if (!isPrompting) cancel = new AbortController();
      going.abort();
    },
    detach: () => gone.abort(),
    async replay({ isTold }) {
      for (let number = 1; ; number += 1) {
        const run = number === 1 ? id : runOf(commandOf(number));
        const read = await ask((each) => each.getReport({ run }));
        if (!read.ok && read.error.status === 404) {
          if (number > 1) break;
          throw unknownSession();
        }
        const { kind, target: recorded } = requireAnswer(read);
        begun = number;
        // The record of a team does not name its file.
        target = recorded ?? (kind === 'team' && !target.startsWith('team:') ? '' : target);
        current = followedRun(run, false);
        await replayRun(current, { servers, folder, tell: isTold ? tell : async () => undefined, left });
      }
      const report = current === undefined ? undefined : await reportOf(current.run);
      const isOpen = report?.status === 'running' || report?.waits.some(asksPermission);
      if (isOpen) goOn();
    },
    target: () => target,
    choose(next) {
      if (current !== undefined) return false;
      target = next;
      return true;
    },
    run: () => current?.run,
    async close() {
      cancel.abort();
      await Promise.all([background, prompting]);
      gone.abort();
    },
  };
}

const isHeld = ({ for: what, answers }: WaitView): boolean => what === 'hold' && answers.includes('resume');

function stopReasonOf({ waits }: ReportView): StopReason {
  const spent = waits.find(({ for: what }) => what === 'budget');
  if (spent === undefined) return 'end_turn';
  return spent.answers.includes('TURNS') ? 'max_turn_requests' : 'max_tokens';
}

/** No run has the id of a session. */
export const unknownSession = (): Failure =>
  new Failure('E_ACP_SESSION', 'No run of this project has the id of the session.');

const NO_FILE = 'The run is over, and its record does not name the team file: start a session of team:FILE.';
const NO_MEDIA = 'A prompt is text and files of text: pictures, sound and other bytes are not taken.';
const NO_WORDS = 'A prompt has words.';
const TOO_LONG = `A prompt has at most ${MAX_SAID} characters, with the files that are put into it.`;
