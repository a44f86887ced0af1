import { defineAgent } from '@cuebook/define';

export default defineAgent({ name: 'counter', sideA: { prompt: 'returns_desk' } });
