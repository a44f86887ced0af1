import { defineAgent } from '@cuebook/define';

export default defineAgent({ name: 'library', sideA: { prompt: 'librarian' } });
