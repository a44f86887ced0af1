import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'house_rules',
  toolDescription: 'Says what visitors may do',
  model: 'everyday',
  prompt: [
    { type: 'text', content: 'Visitors may touch the ropes and nothing else.\n' },
    { type: 'include', prompt: 'safety' },
  ],
});
