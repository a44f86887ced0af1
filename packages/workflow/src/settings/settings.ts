import { type Diagnostic, fail, ok, type Result } from '@cuebook/prompt';
import { type ServersConfig, serverName, serversSchema } from '@cuebook/provider/servers';
import { diagnosticAt, readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import type { ToolSettings } from '../policy/policy.js';

/** What the operator says about workflow runs: the part `workflow` of `cuebook.yaml`. */
export interface WorkflowSettings {
  readonly tools: ToolSettings;
  /** The MCP servers of the project and those of workflows alone. */
  readonly servers: ServersConfig;
  /** Turns that may follow from one word of a person. */
  readonly maxTurns?: number | undefined;
  /** Tokens that a request may have. */
  readonly contextTokens?: number | undefined;
  /** Models of the same provider that a turn is asked of when one fails, in order. */
  readonly fallbacks?: readonly string[] | undefined;
}

const bytes = z
  .int()
  .min(1)
  .max(64 * 1024 * 1024);
const timeoutMs = z.int().min(1).max(3_600_000);
const tools = z
  .strictObject({
    fs: z
      .strictObject({
        enabled: z.boolean().optional(),
        maxReadBytes: bytes.optional(),
        maxWriteBytes: bytes.optional(),
      })
      .optional(),
    mcp: z
      .strictObject({
        enabled: z.boolean().optional(),
        allowedServers: z.array(serverName).optional(),
        approval: z.enum(['always', 'never']).optional(),
      })
      .optional(),
    terminal: z
      .strictObject({
        enabled: z.boolean().optional(),
        timeoutMs: timeoutMs.optional(),
        maxStdoutBytes: bytes.optional(),
        maxStderrBytes: bytes.optional(),
        commands: z.array(z.string().min(1).max(200)).optional(),
      })
      .optional(),
  })
  .default({});

const schema = z.object({
  workflow: z
    .strictObject({
      tools,
      servers: serversSchema,
      maxTurns: z.int().min(1).max(10_000).optional(),
      contextTokens: z.int().min(1_000).max(100_000_000).optional(),
      fallbacks: z.array(z.string().min(1).max(200)).max(10).optional(),
    })
    .default({ tools: {}, servers: {} }),
  servers: serversSchema,
});

/** Reads the settings from the text of `cuebook.yaml`; every problem at once, each with its line. */
export function readWorkflowSettings(
  text: string,
  file: string,
): Result<WorkflowSettings, readonly Diagnostic[]> {
  const yaml = readYaml(file, text, 'E_CONFIG');
  const source = yaml.ok ? yaml.value : yaml.rest;
  if (source === undefined) return fail(yaml.diagnostics);
  if (source.value === null && yaml.ok) return ok(NO_SETTINGS);
  const read = readShape(source, schema, 'E_CONFIG');
  if (!read.ok || !yaml.ok) return fail([...yaml.diagnostics, ...read.diagnostics]);
  const { workflow, servers } = read.value;
  const twice = Object.keys(workflow.servers).filter((name) => Object.hasOwn(servers, name));
  if (twice.length === 0) return ok({ ...workflow, servers: { ...servers, ...workflow.servers } });
  return fail(
    twice.map((name) =>
      diagnosticAt(source, ['workflow', 'servers', name], {
        code: 'E_CONFIG',
        severity: 'error',
        message: `workflow.servers.${name}: the project has a server of this name under \`servers\``,
      }),
    ),
  );
}

/** The servers that agents of workflows may use at all. */
export function allowedServers({ tools: { mcp }, servers }: WorkflowSettings): ServersConfig {
  const isAllowed = (name: string): boolean => mcp?.allowedServers?.includes(name) ?? true;
  return Object.fromEntries(Object.entries(servers).filter(([name]) => isAllowed(name)));
}

export const NO_SETTINGS: WorkflowSettings = { tools: {}, servers: {} };
