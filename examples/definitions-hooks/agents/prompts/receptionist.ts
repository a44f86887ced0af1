import { definePrompt } from '@cuebook/define';

export default definePrompt({
  name: 'receptionist',
  toolDescription: 'Takes messages for a doctor',
  model: 'everyday',
  prompt: 'You take messages for a doctor. Ask for a name and a time to call back.',
  includeChat: true,
  hooks: ['newest_twenty', 'hide_phone_numbers'],
});
