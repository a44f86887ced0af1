import type { ToolDefinition } from '@cuebook/prompt';
import { guard } from '../guard.js';
import type { ServerTool } from '../server/servers.js';
import type { ToolPolicy } from './policy.js';

export const FILE_TOOLS = ['fs.list', 'fs.read', 'fs.search', 'fs.write', 'fs.apply_patch'] as const;
export type FileToolName = (typeof FILE_TOOLS)[number];

/** The six kinds of question that `ui.ask_user` can put. */
export const WIDGETS = [
  'form',
  'selection',
  'confirmation',
  'plan_review',
  'feedback',
  'action_selection',
] as const;

/** The tools that an agent of this policy is told of. What is not among them is not run. */
export function visibleTools(
  policy: ToolPolicy,
  servers: readonly ServerTool[] = [],
): readonly ToolDefinition[] {
  return [
    ...(policy.fs.enabled ? FS : []),
    ASK_USER,
    ...(policy.terminal.enabled ? [TERMINAL] : []),
    ...servers
      .filter(({ server }) => !guard('mcp.allowed', !allowsServer(policy, server)))
      .map(({ name, description, parameters }) => ({ name, description, parameters })),
  ];
}

/** Whether an agent of this policy may call the tools of a server. */
export const allowsServer = ({ mcp }: ToolPolicy, server: string): boolean =>
  mcp.enabled && (mcp.allowedServers?.includes(server) ?? true);

const text = { type: 'string' } as const;
const line = { type: 'integer', minimum: 1 } as const;
const PATH = { type: 'string', description: 'A path that begins with @project, @pkg or @state.' } as const;
const SHA = { type: 'string', description: 'The sha256 that the file must have now.' } as const;

const object = (
  properties: Record<string, unknown>,
  required: readonly string[],
): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const list = (items: object) => ({ type: 'array', items });
const wrapped = (key: string, value: object) => object({ [key]: value }, [key]);

const PATCH = object(
  {
    operation: { const: 'updateFrontmatter' },
    update: object(
      {
        stepsCompleted: wrapped('append', list(text)),
        variables: wrapped('set', { type: 'object' }),
        decisionLog: wrapped('append', list({ type: 'object' })),
        artifacts: wrapped('append', list(text)),
        currentNodeId: wrapped('set', text),
        updatedAt: wrapped('set', text),
      },
      [],
    ),
    ifMatchSha256: SHA,
  },
  ['operation', 'update'],
);

const FS: readonly ToolDefinition[] = [
  {
    name: 'fs.list',
    description: 'Lists a directory.',
    parameters: object({ path: PATH }, ['path']),
  },
  {
    name: 'fs.read',
    description: 'Reads a text file, or the lines from startLine to endLine of it. Lines count from 1.',
    parameters: object({ path: PATH, startLine: line, endLine: line }, ['path']),
  },
  {
    name: 'fs.search',
    description: 'Finds a text, taken literally, in all files below a directory.',
    parameters: object(
      {
        path: PATH,
        pattern: text,
        before: { type: 'integer', minimum: 0 },
        after: { type: 'integer', minimum: 0 },
        maxMatches: line,
      },
      ['path', 'pattern'],
    ),
  },
  {
    name: 'fs.write',
    description: 'Writes a text file, whole. Missing directories are made.',
    parameters: object({ path: PATH, content: text, ifMatchSha256: SHA }, ['path', 'content']),
  },
  {
    name: 'fs.apply_patch',
    description: 'Changes the frontmatter of @state/workflow.md.',
    parameters: object({ path: PATH, patch: PATCH }, ['path', 'patch']),
  },
];

const ASK_USER: ToolDefinition = {
  name: 'ui.ask_user',
  description: 'Asks the user a question and waits for the answer.',
  parameters: object(
    {
      widgetId: text,
      type: { enum: WIDGETS },
      message: text,
      options: list(object({ value: text, label: text, description: text }, ['value'])),
      fields: list(
        object({ name: text, label: text, kind: { enum: ['text', 'number', 'yes-no'] } }, ['name']),
      ),
      plan: text,
    },
    ['widgetId', 'type', 'message'],
  ),
};

const TERMINAL: ToolDefinition = {
  name: 'terminal.run',
  description: 'Runs a program without a shell.',
  parameters: object({ command: text, args: list(text), cwd: PATH, timeoutMs: line }, ['command']),
};
