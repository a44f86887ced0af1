import { defineHook } from '@cuebook/define';

export default defineHook({
  hook: 'after_system_message',
  id: 'hide_phone_numbers',
  execute: (_state, text) => text.replaceAll(/\+?\d[\d ]{6,}\d/g, '[number]'),
});
