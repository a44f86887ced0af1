import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'librarian',
  toolDescription: 'Answers questions about the library',
  model: 'everyday',
  prompt: 'You help visitors of a town library. Answer in two sentences at most.',
});
