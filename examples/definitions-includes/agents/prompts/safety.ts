import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'safety',
  toolDescription: 'Says what to do in an emergency',
  model: 'everyday',
  prompt: 'Never send anybody onto the quay in a storm.\n',
});
