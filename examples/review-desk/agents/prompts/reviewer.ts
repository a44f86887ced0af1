import { definePrompt } from '@cuebook/define';
import { z } from 'zod';

export default definePrompt({
  name: 'reviewer',
  toolDescription: 'Reviews one change and answers with its findings',
  model: 'careful',
  prompt: [
    { type: 'text', content: 'You review changes for the team ' },
    { type: 'env', property: 'TEAM' },
    { type: 'text', content: '. You must name the file and the line of every finding.\n\n' },
    { type: 'include', prompt: 'manners' },
  ],
  variables: [{ name: 'TEAM', type: 'text', required: true, description: 'Who asks for the review' }],
  env: { TEAM: 'desk' },
  tools: ['count_lines'],
  includeChat: true,
  requiredSchema: z.object({ change: z.string().describe('The diff to review') }),
});
