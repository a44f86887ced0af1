import { isAbsolute, resolve } from 'node:path';
import type { ProjectConfig } from '@cuebook/profile';
import type { LeakContext } from '@cuebook/prompt';

/** What the machine and the project's configuration call private, together. */
export function projectContext(
  machine: LeakContext,
  config: ProjectConfig,
  folders: { readonly project: string; readonly home: string },
): LeakContext {
  const at = (path: string): string => configuredPath(path, folders);
  const roots = Object.entries(config.roots).map(([alias, path]) => [alias, at(path)] as const);
  return {
    ...machine,
    roots: [...machine.roots, ...roots],
    private: [...machine.private, ...config.private.map(at)],
    names: [...machine.names, ...config.names],
    public: config.public.map(at),
  };
}

/** Relative to the project, `~/` to the home; a path of another system stays as it is written. */
export function configuredPath(path: string, { project, home }: { project: string; home: string }): string {
  if (/^~[\\/]/.test(path)) return resolve(home, path.slice(2));
  return isAbsolute(path) || /^[A-Za-z]:[\\/]|^\\\\/.test(path) ? path : resolve(project, path);
}
