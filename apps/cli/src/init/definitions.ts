import { hint } from '@cuebook/prompt/hint';

/** Typed definitions: an agent with a prompt that includes another, its test, a tool, a hook and a model. */
export const DEFINITIONS: Readonly<Record<string, string>> = {
  'agents/models/careful.ts': `import { defineModel } from '@cuebook/define';

export default defineModel({
  name: 'careful',
  // A provider of cuebook.yaml. The rehearsal answers from a script and needs no key.
  provider: 'rehearsal',
  model: 'scripted-1',
});
`,
  'agents/prompts/manners.ts': `import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'manners',
  toolDescription: 'Says how this team speaks',
  model: 'careful',
  prompt: \`Be plain and kind. Speak about the code, never about its author.
If you are not sure, say so.
\`,
});
`,
  'agents/prompts/reviewer.ts': `import { definePrompt } from '@cuebook/define';
import { z } from 'zod';

export default definePrompt({
  name: 'reviewer',
  toolDescription: 'Reviews one change and answers with its findings',
  model: 'careful',
  prompt: [
    { type: 'text', content: 'You review changes for the team ' },
    { type: 'env', property: 'TEAM' },
    { type: 'text', content: '. You must name the file and the line of every finding.\\n\\n' },
    { type: 'include', prompt: 'manners' },
  ],
  variables: [{ name: 'TEAM', type: 'text', required: true, description: 'Who asks for the review' }],
  env: { TEAM: 'desk' },
  tools: ['count_lines'],
  includeChat: true,
  requiredSchema: z.object({ change: z.string().describe('The diff to review') }),
});
`,
  'agents/prompts/reviewer.test.yaml': `# Cases for ${hint`test`}: what the request must hold, and what comes of an answer.
cases:
  - name: asks for the place of every finding
    input: Look at cart.ts.
    request:
      system:
        contains: [the file and the line of every finding, Be plain and kind.]
      user: { contains: Look at cart.ts. }
      tools: [count_lines]
      tokens: { max: 400 }

  - name: reviews for the team that asks
    env: { TEAM: checkout }
    request: { contains: checkout, absent: desk }

  - name: takes a change and nothing else
    args: { patch: "+1" }
    request: { refused: E_INPUT }

  - name: counts before it judges
    args: { change: "+ const a = 1;" }
    script:
      - text: Let me count.
        toolCalls: [{ name: count_lines, args: { text: "+ const a = 1;" } }]
    answer:
      calls: [{ name: count_lines, args: { text: "+ const a = 1;" } }]
`,
  'agents/tools/count_lines.ts': `import { defineTool } from '@cuebook/define';
import { z } from 'zod';

export default defineTool({
  description: 'Counts the lines of a text.',
  args: z.object({
    text: z.string().describe('The text to count'),
    blank: z.boolean().default(true).describe('Whether blank lines count'),
  }),
  idempotent: true,
  execute: async (_state, { text, blank }) => {
    const lines = text.split('\\n').filter((line) => blank || line.trim() !== '');
    return { status: 'success', result: String(lines.length) };
  },
});
`,
  'agents/hooks/newest_messages.ts': `import { defineHook } from '@cuebook/define';

export default defineHook({
  hook: 'filter_messages',
  id: 'newest_messages',
  execute: (_state, messages) => messages.slice(-20),
});
`,
  'agents/agents/desk.ts': `import { defineAgent } from '@cuebook/define';

export default defineAgent({
  name: 'desk',
  sideA: { prompt: 'reviewer' },
  env: { TEAM: 'review desk' },
  hooks: ['newest_messages'],
});
`,
};
