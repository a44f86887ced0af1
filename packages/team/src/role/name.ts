import { guard } from '@cuebook/guard';

/** Whether a name can be that of a role template: it names a file of one folder and nothing else. */
export const isRoleName = (name: string): boolean => !guard('role.name', !ROLE_NAME.test(name));

/** Where a repository keeps its own templates. */
export const ROLE_FOLDER = 'docs/templates';

/** The file of a template in a repository. */
export const roleFile = (name: string): string => `${ROLE_FOLDER}/${name}.md`;

/** The name of the template that a file of the repository is, if it is one. */
export function roleOfFile(path: string): string | undefined {
  const name = /^docs\/templates\/([^/]+)\.md$/.exec(path)?.[1];
  return name !== undefined && isRoleName(name) ? name : undefined;
}

const ROLE_NAME = /^[A-Za-z0-9_-]{1,64}$/;
