import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openFolder } from '@cuebook/files';
import { describe, expect, it } from 'vitest';
import { checkProject } from '../src/check/check-project.js';
import { composeStep } from '../src/compose/step.js';
import { loadProject } from '../src/load/project.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** What each example is there to show. */
const SHOWN: Readonly<
  Record<string, { readonly prompt: string; readonly agent?: string; readonly shows: object }>
> = {
  'definitions-basic': {
    prompt: 'librarian',
    shows: {
      text: 'You help visitors of a town library. Answer in two sentences at most.',
      tools: [],
      params: { model: 'scripted-1', toolChoice: 'auto', parallelToolCalls: false },
    },
  },
  'definitions-tools': {
    prompt: 'returns_desk',
    shows: {
      tools: [
        { name: 'find_order', parameters: { required: ['order'], properties: { years: { default: 2 } } } },
        { name: 'open_case', parameters: { required: ['order', 'note'] } },
      ],
      trace: [{ name: 'QUEUE', tool: 'open_case', layer: 'tool', required: true }],
    },
  },
  'definitions-includes': {
    prompt: 'guide',
    shows: {
      text: 'You guide visitors through a harbour museum.\n\nOpen from Tuesday to Sunday, ten to five.\nVisitors may touch the ropes and nothing else.\nNever send anybody onto the quay in a storm.\n\nInvite them to ask more.',
    },
  },
  'definitions-reasoning': {
    prompt: 'proof_reader',
    shows: {
      params: {
        reasoningEffort: 'high',
        providerOptions: { cuebook: { reasoning: { effort: 'high', maxTokens: 4096, exclude: false } } },
      },
    },
  },
  'definitions-hooks': {
    prompt: 'receptionist',
    agent: 'front_desk',
    shows: { hooks: ['newest_twenty', 'hide_phone_numbers'] },
  },
};

describe('the examples', () => {
  it('are all in the table', () => {
    const folders = readdirSync(EXAMPLES).filter((name) => name.startsWith('definitions-'));
    expect(folders.sort()).toEqual(Object.keys(SHOWN).sort());
  });

  it.each(Object.entries(SHOWN))('%s', async (name, { prompt, agent = '', shows }) => {
    const folder = join(EXAMPLES, name);
    const files = await openFolder(folder, { access: 'ro' });
    if (!files.ok) throw new Error(files.error.code);
    const catalog = await loadProject(files.value, { folder: pathToFileURL(`${folder}/`).href });
    expect(checkProject(catalog)).toEqual([]);
    const entry = catalog.prompts.get(prompt);
    if (entry === undefined) throw new Error(prompt);
    const composed = composeStep({ catalog, prompt: entry, agent: catalog.agents.get(agent) });
    if (!composed.ok) throw new Error(composed.diagnostics[0]?.message);
    const { blocks, ...rest } = composed.value;
    const text = blocks.flatMap(({ pieces }) => pieces.map((piece) => piece.text)).join('');
    expect({ text, ...rest }).toMatchObject(shows);
  });
});
