import { defineAgent } from '@cuebook/define';

export default defineAgent({ name: 'museum', sideA: { prompt: 'guide' } });
