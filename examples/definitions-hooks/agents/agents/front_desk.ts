import { defineAgent } from '@cuebook/define';

export default defineAgent({
  name: 'front_desk',
  sideA: { prompt: 'receptionist' },
  hooks: ['log_failures'],
});
