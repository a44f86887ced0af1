import { defineTool } from '@cuebook/define';
import { z } from 'zod';

export default defineTool({
  description: 'Finds an order by its number.',
  args: z.object({
    order: z.string().trim().describe('The number on the invoice'),
    years: z.number().default(2).describe('How far back to look'),
  }),
  idempotent: true,
  execute: async (_state, { order, years }) => ({
    status: 'success',
    result: `Order ${order}: one lamp, delivered. Looked back ${years} years.`,
  }),
});
