import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'manners',
  toolDescription: 'Says how this team speaks',
  model: 'careful',
  prompt: `Be plain and kind. Speak about the code, never about its author.
If you are not sure, say so.
`,
});
