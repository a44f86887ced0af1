import { defineHook } from '@cuebook/define';

export default defineHook({
  hook: 'after_tool_call_failure',
  id: 'log_failures',
  execute: (_state, _call, result) => result,
});
