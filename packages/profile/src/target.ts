/** What a command works on: `sheet:review`, or `sheet:review@HEAD~1` for the project as of a git revision. */
export interface Target {
  readonly prefix: string;
  readonly name: string;
  readonly revision?: string;
}

/** Reads a target; undefined when it is not of the form `prefix:name[@revision]`. */
export function parseTarget(text: string): Target | undefined {
  const match = /^([a-z][a-z0-9-]*):([^@\s]+)(?:@(\S+))?$/.exec(text);
  if (match === null) return undefined;
  const [, prefix = '', name = '', revision] = match;
  return revision === undefined ? { prefix, name } : { prefix, name, revision };
}

export const printTarget = ({ prefix, name, revision }: Target): string =>
  revision === undefined ? `${prefix}:${name}` : `${prefix}:${name}@${revision}`;
