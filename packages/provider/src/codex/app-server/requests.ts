import { randomUUID } from 'node:crypto';
import { guard } from '@cuebook/guard';
import type { JsonValue, Redactor } from '@cuebook/prompt';
import { type Fields, fieldsOf, isFields, jsonOf, listOf, textOf } from '../../agent/fields.js';
import type { LiveTurn } from '../../stream/live-turn.js';
import type { ApprovalAnswer, ApprovalRequest } from '../../turn.js';
import type { CodexToolLog } from '../report/tool-log.js';

/** What to answer to a request of the app-server. */
export interface AppServerReply {
  /** Undefined: a request that is not understood, which is said. */
  readonly result?: Fields;
  /** Said to the agent beside the answer, which has no room for a reason. */
  readonly remark?: string;
}

export interface RequestOptions {
  readonly turn: Pick<LiveTurn, 'emit' | 'input'>;
  readonly redactor: Redactor;
  readonly tools: Pick<CodexToolLog, 'inputOf'>;
  /** The folder that commands run in unless they say otherwise. */
  readonly cwd?: string;
  /** Our own name of a tool that the agent calls; undefined when it is none of this turn's. */
  readonly ours: (name: string) => string | undefined;
}

/** Answers one request: runs a tool of ours, or has somebody decide. Never rejects. */
export async function replyTo(
  method: string,
  params: Fields,
  options: RequestOptions,
): Promise<AppServerReply> {
  switch (method) {
    case 'item/tool/call':
      return { result: await runTool(params, options) };
    case 'item/commandExecution/requestApproval': {
      const { command, reason, networkApprovalContext, additionalPermissions } = params;
      const network = networkApprovalContext ?? undefined;
      const more = additionalPermissions ?? undefined;
      // The model chooses where a command runs.
      const cwd = guard('codex.cwd', params.cwd !== options.cwd) ? params.cwd : undefined;
      const input = given({ command, cwd, reason, network, additionalPermissions: more });
      // A command that wants more rights than the session has is more than the command.
      const isWhole = typeof command === 'string' && network === undefined && more === undefined;
      return decide('commandExecution', input, params, options, isWhole);
    }
    case 'item/fileChange/requestApproval': {
      const change = options.tools.inputOf(textOf(params.itemId));
      const grantRoot = params.grantRoot ?? undefined;
      const input = given({ ...fieldsOf(change), reason: params.reason, grantRoot });
      // With a root it asks for all that will be written there.
      return decide('fileChange', input, params, options, change !== undefined && grantRoot === undefined);
    }
    case 'item/permissions/requestApproval':
      return grant(params, options);
    case 'mcpServer/elicitation/request':
      return elicit(params, options);
    case 'item/tool/requestUserInput':
      return inform(params, options);
    case 'currentTime/read':
      return { result: { currentTimeAt: Math.floor(Date.now() / 1000) } };
    default:
      return {};
  }
}

async function runTool(params: Fields, { turn, ours }: RequestOptions): Promise<Fields> {
  const name = ours(textOf(params.tool));
  const { callTool } = turn.input;
  const id = textOf(params.callId);
  const isOffered = !guard('codex.tool', name === undefined) && callTool !== undefined;
  const answer = isOffered
    ? await callTool({ id, name: name ?? textOf(params.tool), input: jsonOf(params.arguments) })
    : { output: 'This tool is not offered now.', isError: true };
  return {
    success: answer.isError !== true,
    contentItems: [{ type: 'inputText', text: answer.output }],
  };
}

/** A command or a change of files: yes or no. Codex takes no changed input, so a change is a no with a reason. */
async function decide(
  tool: string,
  input: JsonValue,
  params: Fields,
  options: RequestOptions,
  isExact: boolean,
): Promise<AppServerReply> {
  const answer = await ask(tool, input, params, options, isExact);
  const isDenied = guard('codex.approval', answer.decision !== 'allow');
  if (!isDenied || answer.decision === 'allow') return { result: { decision: 'accept' } };
  return { result: { decision: 'decline' }, ...remarkOn(tool, answer) };
}

function remarkOn(
  tool: string,
  answer: Exclude<ApprovalAnswer, { decision: 'allow' }>,
): Pick<AppServerReply, 'remark'> {
  if (answer.decision === 'change') {
    const input = JSON.stringify(answer.input);
    return { remark: `The request for ${tool} was not allowed as it was. Allowed is this instead: ${input}` };
  }
  if (answer.message === undefined || answer.message === '') return {};
  return { remark: `The request for ${tool} was denied: ${answer.message}` };
}

/** More rights for the rest of the turn, and never longer. */
async function grant(params: Fields, options: RequestOptions): Promise<AppServerReply> {
  const { permissions, reason } = params;
  const answer = await ask('permissions', given({ permissions, reason }), params, options);
  const isDenied = guard('codex.grant', answer.decision !== 'allow');
  if (!isDenied || answer.decision === 'allow') {
    return { result: { permissions: fieldsOf(permissions), scope: 'turn' } };
  }
  return { result: { permissions: {}, scope: 'turn' }, ...remarkOn('permissions', answer) };
}

/** A question of an MCP server, the permission to call one of its tools among them. */
async function elicit(params: Fields, options: RequestOptions): Promise<AppServerReply> {
  const { serverName, message, requestedSchema, mode, url } = params;
  const input = given({ message, requestedSchema, mode, url });
  const answer = await ask(`mcp__${textOf(serverName)}`, input, params, options);
  if (answer.decision === 'change')
    return { result: { action: 'accept', content: answer.input, _meta: null } };
  const needsContent = listOf(fieldsOf(requestedSchema).required).length > 0;
  if (guard('codex.elicit', answer.decision === 'deny' || needsContent)) {
    return { result: { action: 'decline', content: null, _meta: null } };
  }
  return { result: { action: 'accept', content: {}, _meta: null } };
}

/** Questions to a person: a change answers them, by the id of each. Anything else leaves them open. */
async function inform(params: Fields, options: RequestOptions): Promise<AppServerReply> {
  const answer = await ask('requestUserInput', given({ questions: params.questions }), params, options);
  const told = answer.decision === 'change' && isFields(answer.input) ? answer.input : {};
  const answers = Object.entries(told).map(([id, text]) => [id, { answers: [String(text)] }] as const);
  return { result: { answers: Object.fromEntries(answers) } };
}

async function ask(
  tool: string,
  input: JsonValue,
  { itemId }: Fields,
  { turn, redactor }: RequestOptions,
  isExact = false,
): Promise<ApprovalAnswer> {
  const request: ApprovalRequest = {
    type: 'approval.request',
    id: `approval_${randomUUID()}`,
    tool,
    input: redactor.redactValue(input).value,
    ...(typeof itemId === 'string' ? { callId: itemId } : {}),
    ...(isExact ? {} : { claimed: true }),
  };
  turn.emit(request);
  const { onApproval } = turn.input;
  return onApproval === undefined ? { decision: 'deny' } : onApproval(request);
}

/** What was really said: nothing that is null or missing. */
const given = (fields: Fields): JsonValue =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as JsonValue;
