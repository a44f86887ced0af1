import { guard } from '@cuebook/guard';
import type { Composition } from '@cuebook/profile';
import {
  type BlockInput,
  fail,
  isBelow,
  ok,
  type Piece,
  type Redactor,
  type Result,
  shellPieces,
} from '@cuebook/prompt';
import type { PackageAgent, Workflow, WorkflowNode, WorkflowPackage } from '../package/package.js';
import { mergePolicies, type ToolPolicy, type ToolSettings } from '../policy/policy.js';
import { isComplete, requireNode } from '../state/rules.js';
import type { WorkflowState } from '../state/schema.js';
import { visibleTools } from '../tool/catalog.js';
import { type DataContext, dataContextPieces } from './data-context.js';
import { directivePieces, type Intent } from './directive.js';
import type { PreconditionError } from './error.js';
import { between, packaged } from './labels.js';
import { nodeBriefPieces } from './node-brief.js';
import { personaPieces } from './persona.js';
import { policyPieces } from './policy-text.js';
import { rulesPieces } from './rules.js';
import { stateSummary } from './state-summary.js';

/** What a turn is composed from. */
export interface WorkflowTurn {
  readonly package: WorkflowPackage;
  readonly mode: TurnMode;
  /** The agent that is active by itself; a node can name another for its step. */
  readonly activeAgentId: string;
  /** What the operator allows; left out: the defaults. */
  readonly settings?: ToolSettings | undefined;
  /** The user's own words. White space alone says nothing. */
  readonly input?: string | undefined;
  readonly data?: DataContext | undefined;
  /** Cleans the values of the state before they are printed; the gates look at everything again. */
  readonly redactor?: Redactor | undefined;
}

export type TurnMode =
  | {
      readonly kind: 'run';
      readonly workflow: Workflow;
      readonly state: WorkflowState;
      readonly intent: Intent;
      readonly autopilot: boolean;
    }
  | { readonly kind: 'agent' }
  | { readonly kind: 'chat' };

/** A turn's blocks and tools, and the policy that its calls are held to. */
export interface ComposedWorkflowTurn extends Composition {
  readonly policy: ToolPolicy;
  /** The agent that speaks. */
  readonly effectiveAgentId: string;
  /** The active node of a run that is not complete. */
  readonly nodeId?: string;
}

/** Composes one turn. Pure: the same turn gives the same bytes. */
export function composeTurn(turn: WorkflowTurn): Result<ComposedWorkflowTurn, PreconditionError> {
  const step = activeStep(turn);
  if (!step.ok) return step;
  const active = step.value;
  const effectiveAgentId = active?.node.agentId ?? turn.activeAgentId;
  const agent = turn.package.agents.get(effectiveAgentId);
  if (guard('compose.agent', agent === undefined)) return missing({ kind: 'agent', id: effectiveAgentId });
  const speaker = agent as PackageAgent;
  const policy = mergePolicies(turn.settings, speaker.agent.tools);
  const blocks = [
    ...systemBlocks(turn, speaker, policy),
    ...runBlocks(turn, active, speaker),
    ...(turn.data === undefined ? [] : [user('data', dataContextPieces(turn.data))]),
    ...inputBlocks(turn, active),
  ];
  return ok({
    blocks,
    tools: visibleTools(policy),
    params: {},
    capabilities: [],
    policy,
    effectiveAgentId,
    ...(active === undefined ? {} : { nodeId: active.node.id }),
  });
}

/** The active step of a run; undefined in a conversation and once the workflow is complete. */
function activeStep({ mode }: WorkflowTurn): Result<WorkflowNode | undefined, PreconditionError> {
  if (mode.kind !== 'run') return ok(undefined);
  const node = requireNode(mode.workflow, mode.state);
  if (!node.ok) return missing({ kind: 'state', error: node.error });
  if (isComplete(mode.workflow, mode.state)) return ok(undefined);
  const { hasStep, file } = node.value;
  if (guard('compose.step', !hasStep || file === undefined)) {
    return missing({ kind: 'step-file', node: node.value.node.id });
  }
  return ok(node.value);
}

const missing = (what: PreconditionError['missing']) =>
  fail<PreconditionError>({ code: 'ENGINE_PRECONDITION_FAILED', missing: what });

function systemBlocks(
  { mode, redactor }: WorkflowTurn,
  agent: PackageAgent,
  policy: ToolPolicy,
): readonly BlockInput[] {
  const persona = mode.kind === 'chat' ? [] : [personaBlock(agent, redactor)];
  return [
    system('rules', rulesPieces(mode.kind === 'run' ? 'workflow' : 'conversation')),
    system('policy', policyPieces(policy, agent)),
    ...persona,
  ];
}

/** The persona. That of a package that nobody accepted is a stranger's text: it is fenced, and gives no orders. */
function personaBlock(agent: PackageAgent, redactor: Redactor | undefined): BlockInput {
  const pieces = personaPieces(agent, redactor);
  const { trust } = agent.labels;
  if (!guard('compose.persona', isBelow(trust, 'operator'))) return system('persona', pieces);
  const fields = [{ key: 'trust', value: between(trust) }];
  return user('persona', shellPieces({ header: 'PERSONA_TEXT', fields, body: pieces, closed: true }));
}

function runBlocks(
  { mode, redactor }: WorkflowTurn,
  active: WorkflowNode | undefined,
  speaker: PackageAgent,
): readonly BlockInput[] {
  if (mode.kind !== 'run') return [];
  const { workflow, state, intent, autopilot } = mode;
  const at = active === undefined ? {} : { active };
  const currentNodeId = active === undefined ? {} : { currentNodeId: active.node.id };
  const summary = stateSummary({ state, redactor, ...currentNodeId });
  const directive = directivePieces({ workflow, intent, autopilot, speaker, summary, ...at });
  return [
    user('directive', ofTurn(directive)),
    ...(active === undefined ? [] : [user('brief', ofTurn(nodeBriefPieces(workflow, active)))]),
  ];
}

/** They stand in front of the newest words of the person: every word of theirs goes when the next are said. */
const ofTurn = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.map((piece) => ({ ...piece, volatility: 'turn' }));

/** The last layer. It names the step that it answers, while there is one. */
function inputBlocks({ input, mode }: WorkflowTurn, active: WorkflowNode | undefined): readonly BlockInput[] {
  if (input === undefined || input.trim() === '') return [];
  return [user('input', userInputPieces(input, mode.kind === 'run' ? mode.workflow : undefined, active))];
}

/** A user's own words in their shell; with a node, they are for the step of that node. */
export function userInputPieces(
  input: string,
  workflow: Workflow | undefined,
  node: WorkflowNode | undefined,
): readonly Piece[] {
  const fields =
    workflow === undefined || node === undefined
      ? []
      : [
          {
            key: 'forNodeId',
            value: { parts: packaged(workflow, ['nodes', node.index, 'id'], node.node.id) },
          },
        ];
  const said: Piece = {
    text: input,
    origin: { kind: 'input', ref: 'input' },
    trust: 'user',
    secrecy: 'public',
    volatility: 'turn',
  };
  return shellPieces({ header: 'USER_INPUT', fields, body: [said] });
}

const system = (name: string, pieces: readonly Piece[]): BlockInput => ({ name, role: 'system', pieces });
const user = (name: string, pieces: readonly Piece[]): BlockInput => ({ name, role: 'user', pieces });
