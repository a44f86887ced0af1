import {
  type ConversationCommand,
  type ConversationConfig,
  createAgentMachine,
  type DecideContext,
  type Decision,
  type EffectIntent,
  type EngineCommand,
  findApproval,
  listApprovals,
  type Machine,
  type ToolRules,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { decideUpdate, listUpdate, type RunUpdate } from '@cuebook/host';
import { askUser } from '../../tool/ask-user.js';
import { WORKFLOW_EVENTS } from './event-types.js';
import type { ComposedFacts, RunFacts, UpdateAsked } from './facts.js';
import { judgeAnswer } from './judge.js';
import { questionRow, workflowStanding } from './standing.js';
import { NEW_RUN, projectWorkflow, type WorkflowRunEvent, type WorkflowRunState } from './state.js';

/** The commands of a workflow run: those of its conversation, and what is its own. */
export type WorkflowCommand =
  | Exclude<ConversationCommand, { readonly type: 'agent.start' }>
  | (Omit<Extract<ConversationCommand, { readonly type: 'agent.start' }>, 'type' | 'ask'> & {
      readonly type: 'workflow.start';
      readonly facts: RunFacts;
    })
  /** The package is another one from the next turn on. */
  | RunUpdate<UpdateAsked>
  /** From the turn driver, before it sends: what the turn was composed from. */
  | { readonly type: 'workflow.compose'; readonly composed: ComposedFacts };

/** What a workflow run is held to. Its functions are pure. */
export interface WorkflowMachineConfig {
  /** Left out: `workflow`. Work of one kind belongs to one process. */
  readonly kind?: string;
  /** The tools of the turn that was composed last. `by` is who wrote the arguments that are looked at. */
  readonly rules: (state: WorkflowRunState, by: 'model' | 'person') => ToolRules;
  readonly priced: boolean;
  readonly onTurnCrash: EffectIntent['onCrash'] | ((state: WorkflowRunState) => EffectIntent['onCrash']);
  /** How long a person has to answer; left out: for ever. */
  readonly approvalMs?: number;
  /** How many models a turn may be asked of; left out: 1. */
  readonly models?: number;
  /** The entry of the vault that the package is from. Left out, or undefined: that of no run. */
  readonly entry?: () => string | undefined;
}

/** The machine of a run as far as replaying needs it: the configuration decides, and the log has decided. */
export const replayMachine = (kind: string) =>
  createWorkflowMachine({ kind, rules: () => ({ tools: [] }), priced: false, onTurnCrash: 'ask-person' });

/** The kind of the work of one run: work of one kind belongs to one process. */
export const workflowKind = (run: string): string => `workflow/${run}`;

/** The lane of a workflow's conversation; its calls run below it. */
export const WORKFLOW_LANE = 'workflow';

/**
 * A workflow run as a machine of the engine: one conversation whose tools, bounds and end follow from the step
 * that it is at. Loop, approvals, budgets and stalls are the engine's own.
 */
export function createWorkflowMachine(
  config: WorkflowMachineConfig,
): Machine<WorkflowRunState, WorkflowCommand, WorkflowRunEvent> {
  return {
    kind: config.kind ?? 'workflow',
    initial: NEW_RUN,
    events: WORKFLOW_EVENTS,
    decide: (state, command, context) => decide(state, command, config, context),
    project: projectWorkflow,
    list: (run, event) => [
      ...listApprovals({ run, lane: WORKFLOW_LANE }, event, questionRow),
      ...listUpdate(run, event),
    ],
    mayBegin: ({ facts }, { kind }) => kind !== 'model.turn' || isOf(config, facts),
    stand: workflowStanding,
  };
}

/** A turn is told from the package that its run uses, and from no other. */
const isOf = ({ entry }: WorkflowMachineConfig, facts: RunFacts | null): boolean => {
  const own = entry?.();
  return own === undefined || facts?.sources === undefined || facts.sources.entry === own;
};

/** What the run is at and another version of its package does not have. */
function goneIn({ facts, composed }: WorkflowRunState, { graph, agents }: UpdateAsked): string | undefined {
  const node = composed?.nodeId ?? null;
  const hasNode = node === null || graph === undefined || graph.nodes.some(({ id }) => id === node);
  if (!hasNode) return `the step ${node}`;
  const agent = [facts?.activeAgentId ?? '', composed?.agentId ?? ''].find(
    (id) => id !== '' && !agents.includes(id),
  );
  return agent === undefined ? undefined : `the agent ${agent}`;
}

function decide(
  state: WorkflowRunState,
  command: WorkflowCommand | EngineCommand,
  config: WorkflowMachineConfig,
  context: DecideContext,
): Decision<WorkflowRunEvent> {
  const { decide: decideConversation } = createAgentMachine(agentConfig(state, command, config));
  if (command.type === 'workflow.start') {
    const { facts, type: _, ...start } = command;
    const begun = decideConversation(
      state.agent,
      { ...start, type: 'agent.start', ask: asksAtOnce(facts) },
      context,
    );
    if (!begun.ok) return begun;
    return { ...begun, events: [{ type: 'workflow.started', data: facts }, ...begun.events] };
  }
  if (command.type === 'run.update') {
    const { agents: _, ...own } = command.own;
    const from = { sources: state.facts?.sources, gone: goneIn(state, command.own) };
    const decided = decideUpdate(from, { ...command, own });
    return decided.ok ? { ok: true, ...decided.value } : decided;
  }
  if (guard('question.grant', grantsQuestions(state, command))) return { ok: false, error: NO_GRANT };
  if (command.type !== 'workflow.compose') return decideConversation(state.agent, command, context);
  const { composed } = command;
  if (guard('run.compose', state.agent.turn?.effect !== composed.effect)) {
    return { ok: false, error: { code: 'E_AGENT_NO_TURN', message: 'This turn is not in flight any more.' } };
  }
  return { ok: true, events: [{ type: 'workflow.composed', data: composed }] };
}

/** Granted for the rest of the run, every question of yes or no would be answered with yes, by nobody. */
const grantsQuestions = ({ agent }: WorkflowRunState, command: WorkflowCommand | EngineCommand): boolean =>
  command.type === 'approval.resolve' &&
  command.grant === true &&
  findApproval(agent.approvals, command.approval)?.tool === askUser.name;

const NO_GRANT = {
  code: 'E_QUESTION_GRANT',
  message: 'Each question is answered by a person: answer this one without a grant.',
};

/** A workflow begins by itself; a conversation waits for the first word. */
const asksAtOnce = ({ mode }: RunFacts): boolean => mode === 'run';

function agentConfig(
  state: WorkflowRunState,
  command: WorkflowCommand | EngineCommand,
  { rules, priced, onTurnCrash, approvalMs, models }: WorkflowMachineConfig,
): ConversationConfig {
  // What a person changes the arguments to may hold an answer; what a model writes may not.
  const by = command.type === 'approval.resolve' ? 'person' : 'model';
  return {
    lane: WORKFLOW_LANE,
    rules: rules(state, by),
    priced,
    onTurnCrash: typeof onTurnCrash === 'function' ? onTurnCrash(state) : onTurnCrash,
    onAnswer: (agent, answer) => judgeAnswer(state, agent, answer),
    ...(approvalMs === undefined ? {} : { approvalMs }),
    ...(models === undefined ? {} : { models }),
  };
}
