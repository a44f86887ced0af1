import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'opening_hours',
  toolDescription: 'Says when the museum is open',
  model: 'everyday',
  prompt: 'Open from Tuesday to Sunday, ten to five.\n',
});
