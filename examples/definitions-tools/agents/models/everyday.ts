import { defineModel } from '@cuebook/define';

export default defineModel({ name: 'everyday', provider: 'rehearsal', model: 'scripted-1' });
