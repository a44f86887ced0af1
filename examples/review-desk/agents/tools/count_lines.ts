import { defineTool } from '@cuebook/define';
import { z } from 'zod';

export default defineTool({
  description: 'Counts the lines of a text.',
  args: z.object({
    text: z.string().describe('The text to count'),
    blank: z.boolean().default(true).describe('Whether blank lines count'),
  }),
  idempotent: true,
  execute: async (_state, { text, blank }) => {
    const lines = text.split('\n').filter((line) => blank || line.trim() !== '');
    return { status: 'success', result: String(lines.length) };
  },
});
