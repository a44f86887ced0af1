import { expect, it } from 'vitest';
import { PRESET_PARAMS, paramsNote } from './params-note.js';

it.each([
  ['claude', 'cli', PRESET_PARAMS, 'claude takes no temperature, max_tokens, top_p'],
  ['claude', 'cli', { topP: 0.5 }, 'claude takes no top_p'],
  ['claude', 'cli', { model: 'x' }, undefined],
  ['anthropic', 'api', PRESET_PARAMS, undefined],
  ['rehearsal', 'rehearsal', PRESET_PARAMS, undefined],
] as const)('%s (%s) with %j says %s', (name, kind, params, says) => {
  const note = paramsNote({ name, kind }, params);
  if (says === undefined) expect(note).toBeUndefined();
  else expect(note).toContain(`${says}: it uses its own settings`);
});
