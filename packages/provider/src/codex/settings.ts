import { guard } from '@cuebook/guard';
import type { Access, SessionOptions } from '../turn.js';

export interface CodexOptions {
  /**
   * The program. The native one of the npm package is better than its launcher in JavaScript: one process less.
   * `codex` on the PATH when left out.
   */
  readonly command?: string;
  /** Arguments before our own, for a program that needs some. */
  readonly args?: readonly string[];
  /** The environment to pick from; the process's own when left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** More names that the child may see: the `env_key` of a provider in the user's own configuration. */
  readonly allow?: readonly string[];
  /** `-c key=value` on top of the user's own configuration, which is never written to. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
  /** `exec` starts one process a turn, without deltas and approvals. Left out: the app-server where there is one. */
  readonly transport?: 'app-server' | 'exec';
}

export type ConfigValue = string | number | boolean | readonly string[];

/** Who we say we are. */
export const CLIENT = { name: 'cuebook', title: 'Cuebook', version: '0.1.0' } as const;

/** The names of Codex's own login, gateway and folders. */
export const CODEX_ENVIRONMENT: readonly string[] = ['CODEX_*', 'OPENAI_*', 'AZURE_OPENAI_*'];

/**
 * What Codex reads by itself and puts beside our words: from its folder and the folders above it, and from the
 * user's home. `instructionSources` of a thread names those that it really found.
 */
export const CODEX_NOT_OURS: readonly string[] = ['AGENTS.md', 'AGENTS.override.md'];

/** Nobody is there to read that a newer version exists. All else is as the user has set it. */
const QUIET: Readonly<Record<string, ConfigValue>> = { check_for_update_on_startup: false };

/** `-c` pairs. A value is TOML, of which JSON strings, numbers, booleans and arrays of strings are a part. */
export const configArguments = (config: CodexOptions['config'] = {}): readonly string[] =>
  Object.entries({ ...QUIET, ...config }).flatMap(([key, value]) => ['-c', `${key}=${tomlValue(value)}`]);

/** JSON leaves one control character as it is that TOML does not take. */
const tomlValue = (value: ConfigValue): string => JSON.stringify(value).replaceAll('\u007f', '\\u007f');

export interface CodexRights {
  readonly sandbox: 'read-only' | 'workspace-write' | 'danger-full-access';
  readonly approvalPolicy: 'never' | 'untrusted';
}

/**
 * What the agent may do by itself, in Codex's own words. Planning never asks: an approved command would run
 * outside the read-only sandbox. With `edit` commands run too, in a sandbox that lets them change the folder
 * and the temporary one and keeps them off the network.
 */
export function rightsOf({
  access = 'plan',
  ask = false,
}: Pick<SessionOptions, 'access' | 'ask'>): CodexRights {
  const isAsked = ask && !guard('codex.plan', access === 'plan');
  return { sandbox: SANDBOX[access], approvalPolicy: isAsked ? 'untrusted' : 'never' };
}

const SANDBOX: Readonly<Record<Access, CodexRights['sandbox']>> = {
  plan: 'read-only',
  edit: 'workspace-write',
  full: 'danger-full-access',
};
