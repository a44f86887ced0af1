/** The file of a definition: what is handed to its definer, as written. */
export const define = (kind: 'Prompt' | 'Tool' | 'Model' | 'Agent' | 'Hook', body: string): string =>
  `import { define${kind} } from '@cuebook/define';\nimport { z } from 'zod';\n\nexport default define${kind}({\n${body}\n});\n`;

export const prompt = (name: string, more = '', text = `'I am ${name}.'`): string =>
  define(
    'Prompt',
    `  name: '${name}', toolDescription: 'Does ${name}', model: 'fast', prompt: ${text},\n${more}`,
  );

export const model = (name: string, more = ''): string =>
  define('Model', `  name: '${name}', provider: 'rehearsal', model: '${name}-1', ${more}`);

/** A tool whose `execute` has this body; `state` and `args` are there. */
export const tool = (body: string, more = ''): string =>
  define('Tool', `  description: 'A tool', ${more}\n  execute: async (state, args) => { ${body} },`);

export const agent = (name: string, more: string): string => define('Agent', `  name: '${name}', ${more}`);

export const hook = (kind: string, id: string, body: string): string =>
  define('Hook', `  hook: '${kind}', id: '${id}', execute: async (state, ...args) => { ${body} },`);

/** A desk with one prompt, and what else is given. */
export const desk = (
  more = '',
  rest: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  'models/fast.ts': model('fast'),
  'prompts/clerk.ts': prompt('clerk', more),
  'agents/desk.ts': agent('desk', "sideA: { prompt: 'clerk' }"),
  ...rest,
});

/** Answers with its arguments. */
export const ECHO = tool(
  `return { status: 'success', result: 'echo ' + args.text };`,
  'args: z.object({ text: z.string() }),',
);
