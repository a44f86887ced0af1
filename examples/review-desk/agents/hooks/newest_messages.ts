import { defineHook } from '@cuebook/define';

export default defineHook({
  hook: 'filter_messages',
  id: 'newest_messages',
  execute: (_state, messages) => messages.slice(-20),
});
