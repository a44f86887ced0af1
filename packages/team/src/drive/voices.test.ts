import { NO_CONFIG } from '@cuebook/provider';
import { expect, it } from 'vitest';
import { createVoices } from './voices.js';

it('who may not be spoken with is not there: not by name, not in the list, and not to be spawned with', () => {
  const all = createVoices({ config: NO_CONFIG, env: {} });
  const acting = all.names.filter((name) => all.entry(name)?.kind === 'cli');
  expect(acting.length).toBeGreaterThan(1);
  const some = createVoices({ config: NO_CONFIG, env: {}, speaks: ({ kind }) => kind !== 'cli' });
  expect(some.names).toEqual(all.names.filter((name) => !acting.includes(name)));
  for (const name of acting) {
    expect(some.entry(name)).toBeUndefined();
    expect(some.find(name)).toMatchObject({ ok: false, error: { code: 'E_PROVIDER_CONFIG' } });
  }
});
