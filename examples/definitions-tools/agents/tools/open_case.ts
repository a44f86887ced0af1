import { defineTool } from '@cuebook/define';
import { z } from 'zod';

export default defineTool({
  description: 'Opens a case for a broken item.',
  args: z.object({ order: z.string(), note: z.string().describe('What is broken') }),
  variables: [{ name: 'QUEUE', type: 'text', required: true, description: 'Where cases of this desk go' }],
  execute: async (state, { order }) => ({
    status: 'success',
    result: `Case for ${order} in ${state.env('QUEUE')}, ${state.options.priority} priority.`,
  }),
});
