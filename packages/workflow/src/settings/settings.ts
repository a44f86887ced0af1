import { type Diagnostic, fail, ok, type Result } from '@cuebook/prompt';
import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import type { ToolSettings } from '../policy/policy.js';

/** A server of the Model Context Protocol, as the operator names it. */
export type ServerSettings =
  | {
      /** A program that speaks on its standard streams. */
      readonly command: string;
      readonly args: readonly string[];
      /** Names of the environment that it may see. */
      readonly allow: readonly string[];
      readonly timeoutMs: number;
    }
  | {
      readonly url: string;
      /** The environment variable whose value is the bearer token. */
      readonly keyName?: string | undefined;
      readonly timeoutMs: number;
    };

/** What the operator says about workflow runs: the part `workflow` of `cuebook.yaml`. */
export interface WorkflowSettings {
  readonly tools: ToolSettings;
  readonly servers: Readonly<Record<string, ServerSettings>>;
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
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a name of an environment variable');
/** It is a part of the names of tools. */
const serverName = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'small letters, digits and dashes');

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

const program = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  allow: z.array(variable).default([]),
  timeoutMs: timeoutMs.default(60_000),
});
const address = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  keyName: variable.optional(),
  timeoutMs: timeoutMs.default(60_000),
});

const schema = z.object({
  workflow: z
    .strictObject({
      tools,
      servers: z.record(serverName, z.union([program, address])).default({}),
      maxTurns: z.int().min(1).max(10_000).optional(),
      contextTokens: z.int().min(1_000).max(100_000_000).optional(),
      fallbacks: z.array(z.string().min(1).max(200)).max(10).optional(),
    })
    .default({ tools: {}, servers: {} }),
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
  if (read.ok && yaml.ok) return ok(read.value.workflow);
  return fail([...yaml.diagnostics, ...read.diagnostics]);
}

export const NO_SETTINGS: WorkflowSettings = { tools: {}, servers: {} };
