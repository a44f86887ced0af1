import { type Diagnostic, fail, ok, type Result } from '@cuebook/prompt';
import { readShape, readYaml } from '@cuebook/yaml';
import { z } from 'zod';

const timeoutMs = z.int().min(1).max(3_600_000).default(60_000);
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a name of an environment variable');
/** `always`: a person allows each call of its tools. */
const approval = z.enum(['always', 'never']).optional();

/** It is a part of the names of tools. */
export const serverName = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'small letters, digits and dashes');

const program = z.strictObject({
  /** A program that speaks on its standard streams. */
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** Names of the environment that it may see. */
  allow: z.array(variable).default([]),
  timeoutMs,
  approval,
});
const address = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  /** The environment variable whose value is the bearer token. */
  keyName: variable.optional(),
  timeoutMs,
  approval,
});

/** Servers of the Model Context Protocol by name, as the operator writes them. */
export const serversSchema = z.record(serverName, z.union([program, address])).default({});

/** A server of the Model Context Protocol, as the operator names it. */
export type ServerSettings = z.infer<typeof program> | z.infer<typeof address>;
/** All of them, by name. */
export type ServersConfig = Readonly<Record<string, ServerSettings>>;

const schema = z.object({ servers: serversSchema });

/** Reads `servers` of a cuebook.yaml; the other keys belong to others. Every problem at once, each with its line. */
export function readServers(text: string, file: string): Result<ServersConfig, readonly Diagnostic[]> {
  const yaml = readYaml(file, text, 'E_CONFIG');
  const source = yaml.ok ? yaml.value : yaml.rest;
  if (source === undefined) return fail(yaml.diagnostics);
  if (source.value === null && yaml.ok) return ok({});
  const read = readShape(source, schema, 'E_CONFIG');
  if (read.ok && yaml.ok) return ok(read.value.servers);
  return fail([...yaml.diagnostics, ...read.diagnostics]);
}
