import { definePrompt } from '@cuebook/define';
import { z } from 'zod';

export default definePrompt({
  name: 'returns_desk',
  toolDescription: 'Sorts out what a customer wants to send back',
  model: 'everyday',
  prompt: `You sort out returns for a shop that sells lamps.
Look the order up before you answer.
Open a case when the lamp is broken.`,
  tools: ['find_order', { name: 'open_case', env: { QUEUE: 'lamps' }, options: { priority: 'normal' } }],
  includeChat: true,
  requiredSchema: z.object({
    complaint: z.string().describe('What the customer says is wrong'),
  }),
});
