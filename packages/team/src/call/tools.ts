import { fail, type JsonValue, type OfferedTool, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import { TEXTS, TOOLS } from '../shipped-texts.js';

/** Names and paths are short, messages are long: everything that an agent hands in has its bound. */
const short = (what: string) => z.string().min(1, `${what} is not empty`).max(200);
const long = z.string().max(200_000);
const path = z.string().min(1, 'a path is not empty').max(1_000);
const object = z.record(z.string(), z.json());

/** An alias of a node: unique in its run, whatever the case of its letters. */
export const aliasSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'an alias starts with a letter and holds letters, digits, - and _');

/** The name of a provider, as people and agents write it. */
export const providerSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,63}$/, 'a provider is named in small letters, digits, - and _');

/** What a node is asked to be allowed. */
export const capabilitiesSchema = z.strictObject({
  edgeManagement: z.enum(['none', 'self', 'all']).optional(),
  writeCode: z.boolean().optional(),
  writeDocs: z.boolean().optional(),
  runCommands: z.boolean().optional(),
  delegateOnly: z.boolean().optional(),
});

/** Whom a node is to ask. */
export const permissionsSchema = z.strictObject({
  cliPermissionsMode: z.enum(['skip', 'gated']).optional(),
  agentManagementRequiresApproval: z.boolean().optional(),
});

/** Which tools of MCP servers a node may call: those of a server, or one of them. */
export const nodeServers = z
  .array(
    z
      .string()
      .regex(
        /^[a-z][a-z0-9-]{0,30}(?:\.[\w.-]{1,60})?$/,
        'a server is named SERVER, one tool of it SERVER.TOOL',
      ),
  )
  .max(64);

const response = z.strictObject({
  expectation: z.enum(['none', 'optional', 'required']),
  replyTo: short('replyTo').optional(),
});

/** The arguments of every tool, as a model writes them. */
export const TOOL_ARGS = {
  command: z.strictObject({ cmd: long.min(1, 'a command is not empty'), cwd: path.optional() }),
  read_file: z.strictObject({ path }),
  write_file: z.strictObject({ path, content: z.string().max(1_000_000) }),
  list_files: z.strictObject({ path: path.optional() }),
  delete_file: z.strictObject({ path }),
  spawn_node: z.strictObject({
    label: short('a label'),
    alias: aliasSchema.optional(),
    roleTemplate: short('a role template'),
    instructions: long.optional(),
    input: object.optional(),
    provider: providerSchema.optional(),
    capabilities: capabilitiesSchema.optional(),
    permissions: permissionsSchema.optional(),
    servers: nodeServers.optional(),
    session: z.strictObject({ resume: z.boolean().optional() }).optional(),
    customSystemPrompt: z.string().min(1).max(64_000).optional(),
    workspace: short('workspace').optional(),
  }),
  create_edge: z.strictObject({
    from: short('from'),
    to: short('to'),
    bidirectional: z.boolean().optional(),
    type: z.enum(['handoff', 'report']).optional(),
    label: short('a label').optional(),
  }),
  send_handoff: z.strictObject({
    to: short('to'),
    message: long.min(1, 'a message is not empty'),
    structured: object.optional(),
    artifacts: z
      .array(z.strictObject({ type: short('a type'), ref: short('a ref') }))
      .max(64)
      .optional(),
    status: z.strictObject({ ok: z.boolean(), reason: z.string().max(2_000).optional() }).optional(),
    response: response.optional(),
    contextRef: short('contextRef').optional(),
  }),
  read_artifact: z.strictObject({ ref: short('a ref'), from: z.number().int().min(0).max(1e9).optional() }),
  read_workspace: z.strictObject({ node: short('a node'), path: path.optional() }),
  keep_context: z.strictObject({
    goal: z.string().min(1, 'a goal is not empty').max(8_000),
    done: z.array(z.string().min(1).max(2_000)).max(50).optional(),
    constraints: z.array(z.string().min(1).max(2_000)).max(50).optional(),
    docs: z
      .array(z.strictObject({ path, excerpt: z.string().max(8_000).optional() }))
      .max(100)
      .optional(),
    files: z
      .array(z.strictObject({ path, summary: z.string().max(4_000).optional() }))
      .max(200)
      .optional(),
    facts: z.array(z.string().min(1).max(2_000)).max(100).optional(),
  }),
  finish_run: z.strictObject({ ok: z.boolean(), summary: long.min(1, 'a summary is not empty') }),
} as const;

/** All tools. */
export type ToolName = keyof typeof TOOL_ARGS;
/** The arguments of one of them. */
export type TeamToolArgs<Name extends ToolName> = z.infer<(typeof TOOL_ARGS)[Name]>;

/** Files and commands: agents that have tools of their own use those. */
export const WORK_TOOLS = ['command', 'read_file', 'write_file', 'list_files', 'delete_file'] as const;
/** What others have made, and texts for others to read: only Cuebook has these. */
export const MATERIAL_TOOLS = ['read_artifact', 'read_workspace', 'keep_context'] as const;
/** The graph: only Cuebook can do these. */
export const GRAPH_TOOLS = ['spawn_node', 'create_edge', 'send_handoff', 'finish_run'] as const;

/** The tools that an agent is told of. */
export const toolsOf = ({ nativeTools, leads, reviews }: ToolHolder): readonly ToolName[] => [
  ...(nativeTools ? [] : WORK_TOOLS),
  ...MATERIAL_TOOLS.filter((name) => name !== 'read_workspace' || reviews),
  ...GRAPH_TOOLS.filter((name) => name !== 'finish_run' || leads),
];

/** What decides which tools a node is told of. */
export interface ToolHolder {
  /** The provider has file and command tools of its own. */
  readonly nativeTools: boolean;
  /** It may finish the run. */
  readonly leads: boolean;
  /** It reads what others have made. */
  readonly reviews: boolean;
}

/** Whether there is a tool of that name. */
export const isToolName = (name: string): name is ToolName => Object.hasOwn(TOOL_ARGS, name);
/** Whether a tool works on the graph. */
export const isGraphTool = (name: string): name is (typeof GRAPH_TOOLS)[number] =>
  (GRAPH_TOOLS as readonly string[]).includes(name);
/** Whether a tool reads what others have made, or keeps a text for them. */
export const isMaterialTool = (name: string): name is (typeof MATERIAL_TOOLS)[number] =>
  (MATERIAL_TOOLS as readonly string[]).includes(name);
/** Whether a tool works on files or runs commands. */
export const isWorkTool = (name: string): name is (typeof WORK_TOOLS)[number] =>
  (WORK_TOOLS as readonly string[]).includes(name);

/** The arguments as a tool takes them, or what is wrong with them, naming the field. */
export function checkArgs(name: string, input: JsonValue): Result<JsonValue, string> {
  if (!isToolName(name)) return fail(`there is no tool ${JSON.stringify(name.slice(0, 80))}`);
  const parsed = TOOL_ARGS[name].safeParse(input);
  if (parsed.success) return ok(withoutUndefined(parsed.data));
  return fail(parsed.error.issues.slice(0, 5).map(describeIssue).join('; '));
}

/** The tools as a model or an MCP client is told of them. */
export function toolDefinitions(names: readonly ToolName[]): readonly OfferedTool[] {
  return names.map((name) => {
    const { parameters } = TOOLS.tool(name);
    return { name, description: TEXTS.text(`tools.md#${name}`), parameters };
  });
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue): string {
  const place = ['args', ...issue.path.map(String)].join('.');
  if (issue.code === 'unrecognized_keys') {
    const near = issue.keys[0] ?? '';
    const meant = MEANT_FIELDS.get(near);
    return `${place}.${near.slice(0, 80)}: no such field${meant === undefined ? '' : `, use ${meant}`}`;
  }
  return `${place}: ${issue.message.slice(0, 200)}`;
}

/** What agents write when they mean another field. */
const MEANT_FIELDS: ReadonlyMap<string, string> = new Map([
  ['role', 'roleTemplate'],
  ['template', 'roleTemplate'],
  ['toNodeId', 'to'],
  ['summary', 'message'],
  ['command', 'cmd'],
  ['text', 'content'],
]);

/** A JSON value has no undefined in it. */
const withoutUndefined = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;
