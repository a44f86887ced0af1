import { describeFileError, type TextSource } from '@cuebook/files';
import type { Diagnostic } from '@cuebook/prompt';
import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';
import { hiddenText } from './hidden-text.js';
import type { Loaded } from './profile.js';

/** Where a project says what is private about it. */
export const CONFIG_FILE = 'cuebook.yaml';

const schema = z.strictObject({
  /** Further roots, by mount alias. */
  roots: z
    .record(z.string().regex(/^@[A-Za-z][\w-]*$/, 'an alias is written @name'), z.string().min(1))
    .default({}),
  /** Path prefixes that must never be named. */
  private: z.array(z.string().min(1)).default([]),
  /** User and host names that must never be named. */
  names: z.array(z.string().min(1)).default([]),
  /** Path prefixes that look private but may be told, such as the home of a sandbox. */
  public: z.array(z.string().min(1)).default([]),
  /** Who speaks, and for how much: read and checked by `@cuebook/provider`. */
  provider: z.unknown().optional(),
  providers: z.unknown().optional(),
  prices: z.unknown().optional(),
  telemetry: z.unknown().optional(),
  /** MCP servers whose tools agents may be given: read and checked by `@cuebook/provider`. */
  servers: z.unknown().optional(),
  /** What the agents of workflows may do: read and checked by `@cuebook/workflow`. */
  workflow: z.unknown().optional(),
  /** Kinds of runs beside those that are shipped, by their prefix: a module of the project or a package that it has. */
  kinds: z
    .record(z.string().regex(/^[a-z]{2,32}$/, 'a kind is named by small letters'), z.string().min(1))
    .optional(),
  /** Which workers take which runs: the label that one must have, by a target or a kind of run. */
  labels: z
    .record(
      z.string().min(1),
      z.string().regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'a label has small letters, digits, dots and dashes'),
    )
    .optional(),
  /** The git repository that machines share the workspaces of teams through. */
  workspaces: z.string().min(1).optional(),
  /** A git repository that has the project, for machines that do not have a version of it. */
  source: z.string().min(1).optional(),
  /** What bounds the runs of teams: read and checked by `@cuebook/team`. */
  team: z.unknown().optional(),
});

export type ProjectConfig = z.infer<typeof schema>;

/** The configuration, or what is wrong with it and what fits of it. */
export type LoadedConfig =
  | Extract<Loaded<ProjectConfig>, { readonly ok: true }>
  | {
      readonly ok: false;
      readonly diagnostics: readonly Diagnostic[];
      /** Enough to look at the rest of the project. */
      readonly partial: ProjectConfig;
    };

/** The project's configuration; a project without the file has none to speak of. */
export async function loadConfig(project: TextSource): Promise<LoadedConfig> {
  const text = await project.readText(CONFIG_FILE);
  if (!text.ok) {
    if (text.error.code === 'E_FILE_NOT_FOUND') return { ok: true, value: schema.parse({}), diagnostics: [] };
    const { code } = text.error;
    return {
      ok: false,
      diagnostics: [{ code, severity: 'error', message: describeFileError(text.error), file: CONFIG_FILE }],
      partial: schema.parse({}),
    };
  }
  const yaml = readYaml(CONFIG_FILE, text.value, 'E_CONFIG');
  const source = yaml.ok ? yaml.value : yaml.rest;
  const found = [...yaml.diagnostics, ...hiddenText(CONFIG_FILE, text.value)];
  if (source === undefined) return { ok: false, diagnostics: found, partial: schema.parse({}) };
  if (source.value === null && yaml.ok) return { ok: true, value: schema.parse({}), diagnostics: found };
  const shaped = readShape(source, schema, 'E_CONFIG');
  const diagnostics = [...found, ...shaped.diagnostics];
  if (shaped.ok && yaml.ok) return { ok: true, value: shaped.value, diagnostics };
  const partial = shaped.ok
    ? shaped.value
    : withoutHoles(shaped.sketch as Partial<ProjectConfig> | undefined);
  return { ok: false, diagnostics, partial };
}

/** What fits of a configuration that does not: enough to look at the rest of the project. */
const withoutHoles = (sketch: Partial<ProjectConfig> = {}): ProjectConfig => ({
  ...schema.parse({}),
  ...sketch,
  private: (sketch.private ?? []).filter(isThere),
  names: (sketch.names ?? []).filter(isThere),
  public: (sketch.public ?? []).filter(isThere),
});

/** `filter` passes over holes. */
const isThere = (): boolean => true;
