import { memorySource } from '@cuebook/files';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { call, type open, toolText } from '../../test/live.js';
import type { KeptProject } from '../load/project.js';
import { openLiveProject } from './open.js';

const PROMPT = `import { definePrompt } from '@cuebook/define';
import { RULES } from '../../shared/rules.js';
export default definePrompt({ name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: RULES + ' ' + Date.now() });
`;
const FILES = {
  'agents/prompts/clerk.ts': PROMPT,
  'agents/tools/tell.ts': toolText('return WORDS;', { imports: "import { WORDS } from '../lib/words.js';" }),
  'agents/lib/words.ts': "export const WORDS = 'first words';",
  'agents/prompts/broken.ts': 'export default 1;',
  'shared/rules.ts': "export const RULES = 'Be kind.';",
};

const sourceOf = (files: Readonly<Record<string, string>>) => {
  const source = memorySource(files);
  if (!source.ok) throw new Error(source.error.code);
  return source.value;
};

it('a project that is opened with what was kept of it is the same, whatever has become of its files', async () => {
  const first = await openLiveProject(sourceOf(FILES));
  const kept = JSON.parse(JSON.stringify(first.kept())) as KeptProject;
  const edited = Object.fromEntries(
    Object.keys(FILES).map((path) => [path, "export const RULES = 'edited', WORDS = 'edited';"]),
  );
  try {
    for (const files of [edited, {}]) {
      const again = await openLiveProject(sourceOf(files), { kept });
      try {
        expect(seen(again)).toEqual(seen(first));
        expect(await call(again, 'tell')).toEqual(await call(first, 'tell'));
        expect(await call(again, 'tell')).toMatchObject({ kind: 'success', text: 'first words' });
        expect(again.kept()).toEqual(kept);
      } finally {
        await again.close();
      }
    }
  } finally {
    await first.close();
  }
});

/** Everything that composing reads of a project, with the places of its words. */
const seen = ({ catalog }: Awaited<ReturnType<typeof open>>) => ({
  ...Object.fromEntries(
    (['models', 'prompts', 'tools', 'hooks', 'agents'] as const).map((kind) => [
      kind,
      [...catalog[kind].values()].map(({ name, data, source }) => [name, data, source.place(['prompt'])]),
    ]),
  ),
  broken: catalog.broken,
  diagnostics: catalog.diagnostics,
});
