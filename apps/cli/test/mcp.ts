/** A small project with a function, a prompt that is made to be called, one that is not, and a script. */
export const PROJECT: Readonly<Record<string, string>> = {
  'agents/models/everyday.ts': `import { defineModel } from '@cuebook/define';
export default defineModel({ name: 'everyday', provider: 'rehearsal', model: 'scripted-1' });
`,
  'agents/prompts/librarian.ts': `import { definePrompt } from '@cuebook/define';
export default definePrompt({
  name: 'librarian',
  toolDescription: 'Answers visitors',
  model: 'everyday',
  prompt: 'You help visitors of a town library.',
});
`,
  'agents/prompts/summarise.ts': `import { definePrompt } from '@cuebook/define';
import { z } from 'zod';
export default definePrompt({
  name: 'summarise',
  toolDescription: 'Sums up a text',
  model: 'everyday',
  prompt: 'Sum up what you are given.',
  requiredSchema: z.object({ text: z.string().describe('What to sum up') }),
});
`,
  'agents/tools/find_book.ts': `import { defineTool } from '@cuebook/define';
import { z } from 'zod';
export default defineTool({
  description: 'Finds a book',
  args: z.object({ title: z.string(), years: z.number().default(2) }),
  variables: [{ name: 'SHELF', type: 'text', required: true, description: 'Where to look' }],
  execute: async (state, { title }) => ({ status: 'success', result: \`\${title}: shelf \${state.env('SHELF')}\` }),
});
`,
  'script.yaml': 'lanes:\n  "*":\n    - text: "In short: a story."\n    - text: "In short: another."\n',
};
