import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'sorter',
  toolDescription: 'Says whether a message is urgent',
  model: 'everyday',
  prompt: 'Answer with one word: URGENT or LATER.',
  // An empty list runs no hook at all; left out, those of the agent would run.
  hooks: [],
});
