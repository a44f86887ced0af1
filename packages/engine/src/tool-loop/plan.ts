import { guard } from '@cuebook/guard';
import { fail, type JsonValue, nameTools, nearest, ok, type Result } from '@cuebook/prompt';
import type { CrashPolicy } from '../machine.js';
import { clipText, clipWords, quote } from './clip.js';
import { type CallResult, stoppedResult } from './result.js';
import { crashPolicyOf, DEFAULT_MAX_CALLS, type Permit, type Tool, type ToolRules } from './tool.js';

/** A call as a model made it. `badInput` is what it wrote when that was not JSON; `input` then counts for nothing. */
export type AskedCall = {
  readonly id: string;
  readonly name: string;
  /** What the model called it, where a provider understood another spelling. */
  readonly said?: string;
  readonly input: JsonValue;
  readonly badInput?: string;
};

/** A call with everything decided about it. It is in the log before anything of it begins. */
export type PlannedCall = {
  /** Ours, and unique in the run: approvals, effects and the history go by it. */
  readonly id: string;
  /** The model's own: it may be empty, reused or said twice. For answers to the session that made it. */
  readonly given: string;
  /** The tool that is meant. */
  readonly name: string;
  /** What the model called it, where that is another spelling. */
  readonly said?: string;
  /** As the model wrote it, for the history; an empty object when it was not JSON. */
  readonly input: JsonValue;
  /** As the tool takes it, where the validator changed something. */
  readonly parsed?: JsonValue;
  readonly parallel: boolean;
  readonly onCrash: CrashPolicy;
  readonly plan: 'run' | 'ask' | 'refuse';
  /** Why a person is asked. */
  readonly reason?: string;
  /** The answer to a refused call. */
  readonly result?: CallResult;
};

export interface PlanOptions {
  readonly newId: (prefix: string) => string;
  /** Tools that a person has allowed for the rest of the run. */
  readonly granted?: readonly string[];
}

/** Looks at every call of an answer, in order. What cannot be run gets its answer here, and is never begun. */
export function planCalls(
  asked: readonly AskedCall[],
  rules: ToolRules,
  options: PlanOptions,
): readonly PlannedCall[] {
  const seen = new Set<string>();
  const max = rules.maxCalls ?? DEFAULT_MAX_CALLS;
  const spelled = spellingsOf(rules);
  return asked.map((written, index) => {
    const { call, problem } = spelled.read(written);
    const frame = frameOf(call, options.newId('call'));
    if (guard('tool.too-many', index >= max))
      return refuse(
        frame,
        'E_TOOL_TOO_MANY',
        `An answer may make ${max} calls; this is number ${index + 1}.`,
      );
    if (guard('tool.duplicate', call.id !== '' && seen.has(call.id)))
      return refuse(frame, 'E_TOOL_DUPLICATE', `The call id ${quote(call.id)} stands twice in this answer.`);
    seen.add(call.id);
    if (problem !== undefined) return refuse(frame, 'E_TOOL_UNKNOWN', problem);
    return planCall(call, frame, { rules, options, told: spelled.told });
  });
}

/** The calls of an answer that is not acted on: each gets its result, so that the history stays whole. */
export const refuseCalls = (
  asked: readonly AskedCall[],
  why: string,
  { newId }: Pick<PlanOptions, 'newId'>,
): readonly PlannedCall[] =>
  asked.map((call) => ({ ...frameOf(call, newId('call')), plan: 'refuse', result: stoppedResult(why) }));

/** What is wrong with the arguments of a known tool, or the arguments as it takes them. */
export function checkInput(tool: string, input: JsonValue, rules: ToolRules): Result<JsonValue, string> {
  if (!rules.validate) return isObject(input) ? ok(input) : fail('the arguments are one JSON object');
  try {
    return rules.validate(tool, input);
  } catch {
    return fail('the check of the arguments broke on them');
  }
}

/** What the rules say to a call whose arguments are good. The stricter of the tool's policy and `permit` wins. */
export function permitCall(tool: Tool, input: JsonValue, rules: ToolRules): Permit {
  if (tool.policy === 'deny') return { kind: 'deny', reason: 'the policy of this agent denies it' };
  const permit = closerLook(tool.name, input, rules);
  if (permit.kind === 'allow' && tool.policy === 'ask') return { kind: 'ask' };
  return permit;
}

type Frame = Omit<PlannedCall, 'plan'>;

function frameOf(call: AskedCall, id: string): Frame {
  return {
    id,
    given: clipText(call.id, 200),
    name: clipText(call.name, 200),
    ...(call.said === undefined ? {} : { said: clipText(call.said, 200) }),
    input: call.badInput === undefined ? call.input : {},
    parallel: false,
    onCrash: 'ask-person',
  };
}

interface Planning {
  readonly rules: ToolRules;
  readonly options: PlanOptions;
  /** A tool by the name that the request told it by. */
  readonly told: (name: string) => string;
}

function planCall(call: AskedCall, frame: Frame, { rules, options, told }: Planning): PlannedCall {
  const tool = findTool(call.name, rules, told);
  if (!tool.ok) return refuse(frame, tool.error.code, tool.error.text);
  if (guard('tool.not-json', call.badInput !== undefined))
    return refuse(frame, 'E_TOOL_INPUT', `The arguments are not JSON: ${quote(call.badInput ?? '')}.`);
  const checked = checkInput(call.name, call.input, rules);
  if (guard('tool.input', !checked.ok) && !checked.ok)
    return refuse(frame, 'E_TOOL_INPUT', `Bad arguments: ${clipWords(checked.error, 2_000)}`);
  const input = checked.ok ? checked.value : call.input;
  const permit = permitCall(tool.value, input, rules);
  if (guard('tool.denied', permit.kind === 'deny') && permit.kind === 'deny')
    return refuse(frame, 'E_TOOL_DENIED', `Not allowed: ${clipWords(permit.reason, 500)}.`);
  const isAsk = permit.kind === 'ask' && !options.granted?.includes(call.name);
  return {
    ...frame,
    ...(sameJson(input, call.input) ? {} : { parsed: input }),
    parallel: tool.value.parallel === true,
    onCrash: crashPolicyOf(tool.value),
    plan: guard('tool.ask', isAsk) ? 'ask' : 'run',
    ...(isAsk && permit.reason !== undefined ? { reason: permit.reason } : {}),
  };
}

const refuse = (frame: Frame, code: string, text: string): PlannedCall => ({
  ...frame,
  plan: 'refuse',
  result: { status: 'refused', code, text: `${text} Nothing was run.` },
});

interface Unfit {
  readonly code: string;
  readonly text: string;
}

/**
 * Reads the names of calls: another spelling of one tool that the request told of is that tool, and the record says
 * what was written. Nothing else becomes callable by it.
 */
function spellingsOf(rules: ToolRules) {
  const { spelling = 'own' } = rules;
  const offered = rules.offered ?? rules.allowed ?? rules.tools.map(({ name }) => name);
  const names = nameTools(
    offered,
    rules.tools.map(({ name }) => name),
  );
  const told = (name: string): string => (spelling === 'wire' ? names.toWire(name) : name);
  return {
    told,
    read(call: AskedCall): { readonly call: AskedCall; readonly problem?: string } {
      const isOwn = spelling === 'own' && rules.tools.some(({ name }) => name === call.name);
      if (isOwn) return { call };
      const meant = names.understand(call.name, spelling);
      if (meant.kind === 'known') {
        const said = told(meant.name) === call.name ? call.said : (call.said ?? call.name);
        return { call: { ...call, name: meant.name, ...(said === undefined ? {} : { said }) } };
      }
      if (meant.kind === 'unknown') return { call };
      const which = meant.names.map(told).join(', ');
      return {
        call,
        problem: `${quote(call.name)} may mean several tools: ${which}. Write the name in full.`,
      };
    },
  };
}

/** The names that an agent may not call are not suggested to it. */
function findTool(name: string, rules: ToolRules, told: (name: string) => string): Result<Tool, Unfit> {
  const tool = rules.tools.find((candidate) => candidate.name === name);
  const isAllowed = rules.allowed === undefined || rules.allowed.includes(name);
  if (tool && !guard('tool.not-allowed', !isAllowed)) return ok(tool);
  if (tool)
    return fail({ code: 'E_TOOL_NOT_ALLOWED', text: `The tool ${quote(name)} is not open to this agent.` });
  const names = rules.tools.map((candidate) => candidate.name);
  const open = names.filter((known) => rules.allowed?.includes(known) ?? true).map(told);
  const near = nearest(name, open);
  const hint = near ? ` Did you mean ${near}?` : listOf(open);
  return fail({ code: 'E_TOOL_UNKNOWN', text: `There is no tool ${quote(name)}.${hint}` });
}

const listOf = (names: readonly string[]): string =>
  names.length === 0 ? ' There are no tools.' : ` There are: ${names.slice(0, 20).join(', ')}.`;

function closerLook(tool: string, input: JsonValue, rules: ToolRules): Permit {
  if (!rules.permit) return { kind: 'allow' };
  try {
    return rules.permit(tool, input);
  } catch {
    return { kind: 'deny', reason: 'the policy broke on these arguments' };
  }
}

const isObject = (value: JsonValue): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sameJson = (a: JsonValue, b: JsonValue): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
