import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'guide',
  toolDescription: 'Shows visitors around',
  model: 'everyday',
  prompt: [
    { type: 'text', content: 'You guide visitors through a harbour museum.\n\n' },
    { type: 'include', prompt: 'opening_hours' },
    { type: 'include', prompt: 'house_rules' },
    { type: 'text', content: '\nInvite them to ask more.' },
  ],
});
