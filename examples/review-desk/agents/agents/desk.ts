import { defineAgent } from '@cuebook/define';

export default defineAgent({
  name: 'desk',
  sideA: { prompt: 'reviewer' },
  env: { TEAM: 'review desk' },
  hooks: ['newest_messages'],
});
