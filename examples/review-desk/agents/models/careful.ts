import { defineModel } from '@cuebook/define';

export default defineModel({
  name: 'careful',
  // A provider of cuebook.yaml. The rehearsal answers from a script and needs no key.
  provider: 'rehearsal',
  model: 'scripted-1',
});
