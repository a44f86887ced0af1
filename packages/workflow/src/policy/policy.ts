import { guard } from '@cuebook/guard';
import type { AgentTools } from '../package/schema.js';

/** What an agent may do, after the one merge: it is told, shown and enforced from this record alone. */
export interface ToolPolicy {
  readonly fs: { readonly enabled: boolean; readonly maxReadBytes: number; readonly maxWriteBytes: number };
  /** `allowedServers` left out: all of them. */
  readonly mcp: {
    readonly enabled: boolean;
    readonly allowedServers?: readonly string[];
    /** `always`: a person allows each call of a server's tool. Left out: `never`. */
    readonly approval?: 'always' | 'never';
  };
  readonly terminal: {
    readonly enabled: boolean;
    readonly timeoutMs: number;
    readonly maxStdoutBytes: number;
    readonly maxStderrBytes: number;
    /** Programs that may be run, by name; left out: any. */
    readonly commands?: readonly string[];
  };
}

/** What the operator sets. A key that is left out, or undefined, keeps its default. */
export interface ToolSettings {
  readonly fs?: Loose<ToolPolicy['fs']> | undefined;
  readonly mcp?: Loose<ToolPolicy['mcp']> | undefined;
  readonly terminal?: Loose<ToolPolicy['terminal']> | undefined;
}

type Loose<Shape> = { readonly [Key in keyof Shape]?: Shape[Key] | undefined };

export const DEFAULT_POLICY: ToolPolicy = {
  fs: { enabled: true, maxReadBytes: 524_288, maxWriteBytes: 2_097_152 },
  mcp: { enabled: false },
  terminal: { enabled: false, timeoutMs: 60_000, maxStdoutBytes: 50_000, maxStderrBytes: 20_000 },
};

/**
 * The policy of an agent: the operator's settings, which the agent can only make tighter. An agent that says
 * nothing about MCP servers has none, and no agent can turn the terminal on.
 */
export function mergePolicies(system: ToolSettings = {}, agent: AgentTools = {}): ToolPolicy {
  const base = settled(system);
  const { fs = {}, mcp = {} } = agent;
  const allowed = intersect(base.mcp.allowedServers, mcp.allowedServers);
  return {
    fs: {
      enabled: base.fs.enabled && (fs.enabled ?? true),
      maxReadBytes: tighter(base.fs.maxReadBytes, fs.maxReadBytes),
      maxWriteBytes: tighter(base.fs.maxWriteBytes, fs.maxWriteBytes),
    },
    mcp: {
      enabled: base.mcp.enabled && (mcp.enabled ?? false),
      ...(allowed === undefined ? {} : { allowedServers: allowed }),
      ...(base.mcp.approval === undefined ? {} : { approval: base.mcp.approval }),
    },
    terminal: base.terminal,
  };
}

/** What two policies both allow. */
export function narrower(one: ToolPolicy, other: ToolPolicy): ToolPolicy {
  const servers = intersect(one.mcp.allowedServers, other.mcp.allowedServers);
  const commands = intersect(one.terminal.commands, other.terminal.commands);
  const approvals = [one.mcp.approval, other.mcp.approval];
  const approval = approvals.includes('always') ? 'always' : (one.mcp.approval ?? other.mcp.approval);
  return {
    fs: {
      enabled: one.fs.enabled && other.fs.enabled,
      maxReadBytes: Math.min(one.fs.maxReadBytes, other.fs.maxReadBytes),
      maxWriteBytes: Math.min(one.fs.maxWriteBytes, other.fs.maxWriteBytes),
    },
    mcp: {
      enabled: one.mcp.enabled && other.mcp.enabled,
      ...(servers === undefined ? {} : { allowedServers: servers }),
      ...(approval === undefined ? {} : { approval }),
    },
    terminal: {
      enabled: one.terminal.enabled && other.terminal.enabled,
      timeoutMs: Math.min(one.terminal.timeoutMs, other.terminal.timeoutMs),
      maxStdoutBytes: Math.min(one.terminal.maxStdoutBytes, other.terminal.maxStdoutBytes),
      maxStderrBytes: Math.min(one.terminal.maxStderrBytes, other.terminal.maxStderrBytes),
      ...(commands === undefined ? {} : { commands }),
    },
  };
}

/** The settings with a default for whatever they leave open. */
function settled({ fs, mcp, terminal }: ToolSettings): ToolPolicy {
  return {
    fs: { ...DEFAULT_POLICY.fs, ...given(fs) },
    mcp: { ...DEFAULT_POLICY.mcp, ...given(mcp) },
    terminal: { ...DEFAULT_POLICY.terminal, ...given(terminal) },
  };
}

const given = <Shape extends object>(
  shape: Shape | undefined,
): { [Key in keyof Shape]?: NonNullable<Shape[Key]> } =>
  Object.fromEntries(Object.entries(shape ?? {}).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Shape]?: NonNullable<Shape[Key]>;
  };

function tighter(limit: number, own: number | undefined): number {
  if (own === undefined) return limit;
  return guard('policy.tighten', own > limit) ? limit : own;
}

function intersect(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((name) => other.includes(name));
}
