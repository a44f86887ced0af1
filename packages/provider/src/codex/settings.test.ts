import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Access } from '../turn.js';
import { CLIENT, configArguments, rightsOf } from './settings.js';

describe('the settings of Codex', () => {
  const RIGHTS: readonly [Access | undefined, boolean, string, string][] = [
    [undefined, false, 'read-only', 'never'],
    ['plan', false, 'read-only', 'never'],
    ['plan', true, 'read-only', 'never'],
    ['edit', false, 'workspace-write', 'never'],
    ['edit', true, 'workspace-write', 'untrusted'],
    ['full', false, 'danger-full-access', 'never'],
    ['full', true, 'danger-full-access', 'untrusted'],
  ];
  it.each(RIGHTS)('access %s, asking %s', (access, ask, sandbox, approvalPolicy) => {
    expect(rightsOf({ ...(access && { access }), ask })).toEqual({ sandbox, approvalPolicy });
  });

  it('are TOML on the command line', () => {
    expect(configArguments({ a: 'x "y"\n\u007f', b: true, c: 3, 'd.e': ['f'] })).toEqual([
      ...['-c', 'check_for_update_on_startup=false', '-c', 'a="x \\"y\\"\\n\\u007f"'],
      ...['-c', 'b=true', '-c', 'c=3', '-c', 'd.e=["f"]'],
    ]);
  });

  it('say our own version', () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    expect(CLIENT.version).toBe(version);
  });
});
