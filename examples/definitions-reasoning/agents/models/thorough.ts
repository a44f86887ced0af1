import { defineModel } from '@cuebook/define';

export default defineModel({ name: 'thorough', provider: 'rehearsal', model: 'scripted-1' });
