import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '@cuebook/files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { sha256 } from '../../test/host-stand.js';
import { type AgentText, createAgentTexts } from './agent-text.js';
import type { RoleTemplate } from './template.js';

const role = (name: string, text: string): RoleTemplate => ({
  ...{ name, text, version: '1', capabilities: [], constraints: [] },
  ...{ source: 'repository', file: `docs/templates/${name}.md` },
});
const ROLES = ['dev', 'DEV', 'dev\n'].flatMap((name) =>
  ['', 'a', 'a\n', '\na'].map((text) => role(name, text)),
);
const someRole = fc.constantFrom(...ROLES);
const step = fc.oneof(
  fc.record({ does: fc.constant('wrote' as const), role: someRole, before: fc.option(someRole) }),
  fc.record({
    does: fc.constant('answer' as const),
    role: someRole,
    state: fc.constantFrom('allowed' as const, 'denied' as const),
  }),
);

async function openTexts(folder: string, access: 'rw' | 'ro' = 'rw') {
  const opened = await openFolder(folder, { access });
  if (!opened.ok) throw new Error(opened.error.code);
  return createAgentTexts(opened.value, sha256);
}

describe('words of agents', () => {
  it('are an agent’s from when it wrote them until a person allows them, whoever asks, and no others are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'agent-text-'));
        try {
          const model = new Map<RoleTemplate, AgentText>();
          for (const each of steps) {
            // Every step is one of another process.
            const texts = await openTexts(folder);
            const known = model.get(each.role);
            if (each.does === 'wrote') {
              const by = { run: 'run_1', node: 'dev', before: each.before };
              await texts.wrote(each.role, by);
              model.set(each.role, { ...by, state: 'proposed' });
            } else {
              await texts.answer(each.role, each.state);
              if (known) model.set(each.role, { ...known, state: each.state });
            }
          }
          const texts = await openTexts(folder, 'ro');
          for (const each of ROLES) {
            const known = model.get(each);
            expect(await texts.find(each)).toEqual(known?.state === 'allowed' ? undefined : known);
          }
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      runs(15, 500),
    );
  });

  it('are private to the user, and are not taken for a person’s where they cannot be kept', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-text-'));
    const by = { run: 'run_1', node: 'dev', before: null };
    try {
      await expect((await openTexts(folder, 'ro')).wrote(role('dev', 'x'), by)).rejects.toThrow(
        'CUEBOOK_HOME',
      );
      expect(readdirSync(folder)).toEqual([]);
      await (await openTexts(folder)).wrote(role('dev', 'x'), by);
      const [name = ''] = readdirSync(join(folder, 'templates'));
      expect(statSync(join(folder, 'templates', name)).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
