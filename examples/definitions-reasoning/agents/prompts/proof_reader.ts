import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'proof_reader',
  toolDescription: 'Looks for gaps in a proof',
  model: 'thorough',
  prompt: 'You read proofs line by line and name the first step that does not follow.',
  reasoning: { effort: 'high', maxTokens: 4096, exclude: false },
});
