import { defineAgent } from '@cuebook/define';

export default defineAgent({ name: 'reader', sideA: { prompt: 'proof_reader' } });
