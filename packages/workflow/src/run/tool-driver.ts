import {
  type Driver,
  hideCredentials,
  type Outcome,
  type ToolCallInput,
  UNKNOWN_OUTCOME,
} from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import { guard, guarded } from '@cuebook/guard';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue, Redactor } from '@cuebook/prompt';
import type { Servers } from '@cuebook/provider/servers';
import type { ToolFiles } from '../mount/tool-files.js';
import type { Workflow } from '../package/package.js';
import type { ToolPolicy } from '../policy/policy.js';
import { createConfirmations } from '../state/confirmation.js';
import { STATE_PATH } from '../state/document.js';
import { type BeforeWrite, openStateFile, type PlannedWrite, type StateFile } from '../state/file.js';
import type { StepFacts } from '../state/step-facts.js';
import type { Audit } from '../tool/audit.js';
import type { CallLog } from '../tool/call-log.js';
import { visibleTools } from '../tool/catalog.js';
import type { ProgramRunner, ToolContext } from '../tool/context.js';
import { failed, type WorkflowToolResult } from '../tool/result.js';
import { missingOutputs } from '../tool/step-outputs.js';
import { createTools } from '../tool/tools.js';
import { enterArtifact, versionOf } from '../tool/write.js';
import type { ComposedFacts } from './machine/facts.js';

/** What the calls of a run are done with. */
export interface ToolDesk {
  readonly files: ToolFiles;
  /** The folder of the run: logs, notes and, of a workflow, the state. */
  readonly keeper: Files;
  /** Left out in a conversation without a workflow. */
  readonly workflow?: Workflow | undefined;
  readonly audit: Audit;
  readonly log: CallLog;
  readonly servers: Servers;
  /** Where programs run, for the policy of the one who asks. */
  readonly terminal: (policy: ToolPolicy) => ProgramRunner;
  readonly policyOf: (agentId: string) => ToolPolicy;
  readonly redactor: Redactor;
  /** The turn whose calls are being done. */
  readonly composed: (run: string) => Promise<ComposedFacts | null>;
}

/**
 * Does `tool.call`. A call that changes files notes what it is about to write before it does, so that after a crash
 * it is finished where it stands and never done twice. Every result is cleaned before it is in the log.
 */
export function createToolDriver(desk: ToolDesk): Driver {
  return {
    async perform(effect, { run, signal, now }) {
      const call = effect.input as unknown as ToolCallInput;
      const known = await desk.log.read(call.call);
      if (known?.result !== undefined) return outcomeOf(known.result);
      const startedAt = now();
      const composed = await desk.composed(run);
      const done = await finish(desk, { call, composed, planned: known?.planned, signal, now });
      if (done.result === undefined) return UNKNOWN_OUTCOME;
      const result = clean(desk, done.result);
      await desk.audit.add({
        toolCallId: call.call,
        toolName: call.tool,
        agentId: composed?.agentId ?? '',
        input: call.input,
        output: result,
        startedAt,
        durationMs: now() - startedAt,
      });
      if (done.planned !== undefined) await desk.log.write(call.call, { planned: done.planned, result });
      return outcomeOf(result);
    },
    // What was noted and has no result is finished by `perform`, which compares hashes first.
    async observe(effect) {
      const { call } = effect.input as unknown as ToolCallInput;
      const known = await desk.log.read(call);
      if (known?.result === undefined) return { state: 'not-done' };
      return { state: 'done', outcome: outcomeOf(known.result) };
    },
  };
}

const outcomeOf = (result: WorkflowToolResult): Outcome => ({
  ok: true,
  output: { text: JSON.stringify(result), ...(isFailure(result) ? { isError: true } : {}) },
});

/** A program that ends with another code than 0 has failed, though the call went well. */
const isFailure = (result: WorkflowToolResult): boolean =>
  !result.ok || (typeof result.exitCode === 'number' && result.exitCode !== 0);

/** Leaf by leaf: a path inside JSON inside a string is still a path. */
function clean({ redactor }: ToolDesk, result: WorkflowToolResult): WorkflowToolResult {
  const redacted = (told: WorkflowToolResult) =>
    redactor.redactValue(asJson(told)).value as unknown as WorkflowToolResult;
  return guarded('run.redact', redacted, result);
}

interface Doing {
  readonly call: ToolCallInput;
  readonly composed: ComposedFacts | null;
  /** What an earlier try was about to write. */
  readonly planned: PlannedWrite | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
}

interface Done {
  /** Undefined: nobody can say whether it was done. */
  readonly result?: WorkflowToolResult;
  readonly planned?: PlannedWrite;
}

/** Goes on where an earlier try was cut off; without one, begins. */
async function finish(desk: ToolDesk, doing: Doing): Promise<Done> {
  const { planned, call } = doing;
  if (!guard('run.resume', planned !== undefined) || planned === undefined) return begin(desk, doing);
  const found = await versionNow(desk, planned.path);
  if (found === planned.after) return { planned, result: await finished(desk, call, planned) };
  // Somebody else has written since: to do it now could undo their work.
  return guard('run.unknown', found !== planned.before) ? {} : begin(desk, doing);
}

async function versionNow(desk: ToolDesk, path: string): Promise<string | undefined> {
  if (path !== STATE_PATH) return versionOf(desk, path);
  const found = await desk.keeper.readDocument('workflow.md');
  return found.ok ? found.value.sha256 : undefined;
}

/** What is left of a write whose content is in its place, and its result. */
async function finished(
  desk: ToolDesk,
  call: ToolCallInput,
  planned: PlannedWrite,
): Promise<WorkflowToolResult> {
  const { path, before, after } = planned;
  if (path === STATE_PATH) return { ok: true, path, sha256Before: before, sha256After: after };
  const context: ToolContext = { files: desk.files, policy: desk.policyOf(''), state: stateOf(desk) };
  const refused = before === 'absent' ? await enterArtifact(context, path, after) : undefined;
  const { content = '' } = call.input as { readonly content?: string };
  return refused ?? { ok: true, path, bytesWritten: Buffer.byteLength(content), sha256After: after };
}

async function begin(desk: ToolDesk, doing: Doing): Promise<Done> {
  const { call, composed, signal } = doing;
  const policy = composed === null ? undefined : desk.policyOf(composed.agentId);
  const isVisible =
    policy !== undefined && visibleTools(policy, desk.servers.tools).some(({ name }) => name === call.tool);
  if (policy === undefined || guard('tool.available', !isVisible)) {
    return { result: failed('TOOL_NOT_AVAILABLE', 'There is no such tool for this agent') };
  }
  const served = desk.servers.tools.find(({ name }) => name === call.tool);
  if (served !== undefined) return { result: await desk.servers.call(served, call.input, signal) };
  return useOwn(desk, doing, policy);
}

async function useOwn(desk: ToolDesk, doing: Doing, policy: ToolPolicy): Promise<Done> {
  const { call, composed, now, signal } = doing;
  let planned: PlannedWrite | undefined;
  // The first write is the call's own; entering it into the state can be repeated.
  const beforeWrite: BeforeWrite = async (write) => {
    if (planned !== undefined) return true;
    planned = write;
    return desk.log.write(call.call, { planned: write });
  };
  const confirmations = createConfirmations();
  const steps: StepFacts = {
    told: composed?.nodeId ?? null,
    missingOutputs: (node) => missingOutputs(desk.files, node),
  };
  const state = stateOf(desk, { confirmations, beforeWrite, steps });
  const keeper = state === undefined ? undefined : desk.keeper;
  const { files, terminal } = desk;
  const tools = createTools({ files, policy, state, keeper, now, beforeWrite, terminal, signal });
  const args = isOfState(call.input) ? await hideCredentials(desk.redactor, call.input) : call.input;
  const ask = { id: call.call, name: call.tool, args, agentId: composed?.agentId ?? '' };
  const { result } = await tools.call(ask);
  const change = changeToConfirm(result);
  if (change === undefined || call.approval === undefined) return withPlan(result, planned);
  // A person has allowed this very call. The change must start from the state that they were asked about.
  const now256 = await versionNow(desk, STATE_PATH);
  if (guard('run.confirmed-state', now256 !== composed?.stateSha256)) {
    return {
      result: failed('E_PRECONDITION_FAILED', 'The state has changed since the change was confirmed'),
    };
  }
  confirmations.confirm(change);
  return withPlan((await tools.call(ask)).result, planned);
}

/** The state is shown to people and told to models: nobody needs a credential from there. */
const isOfState = (input: JsonValue): boolean =>
  guard('run.state-words', /^@state(?:\/|$)/.test(String(Object(input).path ?? '')));

const withPlan = (result: WorkflowToolResult, planned: PlannedWrite | undefined): Done => ({
  result,
  ...(planned === undefined ? {} : { planned }),
});

/** The name of a proposed change of a complete workflow. */
function changeToConfirm(result: WorkflowToolResult): string | undefined {
  if (result.ok || result.error.code !== 'STATE_CHANGE_REQUIRES_CONFIRMATION') return undefined;
  const { change } = (result.error.details ?? {}) as { readonly change?: string };
  return change;
}

function stateOf(
  { keeper, workflow }: ToolDesk,
  more: Partial<Pick<Parameters<typeof openStateFile>[0], 'confirmations' | 'beforeWrite' | 'steps'>> = {},
): StateFile | undefined {
  if (workflow === undefined) return undefined;
  return openStateFile({ folder: keeper, workflow, confirmations: createConfirmations(), ...more });
}
