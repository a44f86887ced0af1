import { memorySource, type TextSource } from '@cuebook/files';
import type { Diagnostic } from '@cuebook/prompt';
import { checkProject } from '../src/check/check-project.js';
import type { Catalog } from '../src/load/catalog.js';
import { loadProject, type ProjectOptions } from '../src/load/project.js';

/** A project in memory: files below `agents/`, by path. */
export function projectOf(files: Readonly<Record<string, string>>): TextSource {
  const source = memorySource(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`agents/${path}`, text])),
  );
  if (!source.ok) throw new Error(source.error.code);
  return source.value;
}

/** The file of a definition: what is handed to its definer, as written. */
export const define = (kind: 'Prompt' | 'Tool' | 'Model' | 'Agent' | 'Hook', body: string): string =>
  `import { define${kind} } from '@cuebook/define';\nimport { z } from 'zod';\n\nexport default define${kind}({\n${body}\n});\n`;

/** A prompt with everything it must have, and more. */
export const prompt = (name: string, more = '', text = `'${name.toUpperCase()}'`): string =>
  define(
    'Prompt',
    `  name: '${name}',\n  toolDescription: 'Does ${name}',\n  model: 'fast',\n  prompt: ${text},\n${more}`,
  );

/** The model that `prompt` names. */
export const MODEL = {
  'models/fast.ts': define('Model', "  name: 'fast', provider: 'rehearsal', model: 'scripted-1'"),
};

/** A function tool that answers. */
export const tool = (more = '', description = 'Looks something up'): string =>
  define(
    'Tool',
    `  description: '${description}',\n  execute: async () => ({ status: 'success', result: 'ok' }),\n${more}`,
  );

export const load = (
  files: Readonly<Record<string, string>>,
  options: ProjectOptions = {},
): Promise<Catalog> => loadProject(projectOf(files), options);

/** All that is wrong with a project. */
export const check = async (files: Readonly<Record<string, string>>): Promise<readonly Diagnostic[]> =>
  checkProject(await load(files));

/** `CODE file:line path`, for tables. */
export const brief = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics.map(({ code, file = '', line = 0, path = '' }) =>
    `${code} ${file.replace('agents/', '')}:${line} ${path}`.trim(),
  );
