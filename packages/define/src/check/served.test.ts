import { composeTarget } from '@cuebook/profile';
import { createRedactor } from '@cuebook/prompt';
import { expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { brief, MODEL, projectOf, prompt, tool } from '../../test/project.js';
import type { CatalogServers } from '../load/catalog.js';
import { createDefineProfiles } from '../profile.js';

const redactor = createRedactor({ roots: [], private: [], names: [] });
const hash = (bytes: Uint8Array): string => `sha256:${bytes.length.toString(16).padStart(64, '0')}`;
const words = { description: 'From the server notes, in its words: Finds.', parameters: { type: 'object' } };

/** Prompts over a project of two servers, of which `notes` answers. */
function look(tools: string) {
  const asked: (readonly string[])[] = [];
  const servers = async (_: unknown, wanted: readonly string[]): Promise<CatalogServers> => {
    asked.push(wanted);
    return {
      names: ['notes', 'wiki'],
      asked: wanted.filter((name) => name === 'notes'),
      tools: wanted.includes('notes') ? [{ name: 'mcp.notes.find', server: 'notes', ...words }] : [],
      diagnostics: [],
    };
  };
  const project = projectOf({
    ...MODEL,
    'prompts/p.ts': prompt('p', `tools: ${tools},`),
    'tools/own.ts': tool(),
  });
  const { prompt: profile } = createDefineProfiles({ servers });
  return {
    profile,
    project,
    asked,
    compose: () => composeTarget({ profiles: [profile], project, hash, redactor } as never, 'prompt:p'),
  };
}

it.each(
  inTurn(
    [
      ["['mcp.notes', 'mcp.wiki.anything', 'own']", []],
      ["['mcp.note']", ['E_MCP_UNKNOWN prompts/p.ts:9 tools[0]']],
      ["['own', 'mcp.other.x']", ['E_MCP_UNKNOWN prompts/p.ts:9 tools[1]']],
      ["['mcp.notes', 'mcp.notes']", ['E_TOOL_TWICE prompts/p.ts:9 tools[1]']],
      ["[{ name: 'mcp.notes', approval: 'always' }, { name: 'own', approval: 'always' }]", []],
      ["[{ name: 'mcp.notes', env: { A: 'b' } }]", ['W_TOOL_OPTION prompts/p.ts:9 tools[0]']],
      ["[{ name: 'mcp.notes', resumable: false }]", ['E_SUBAGENT prompts/p.ts:9 tools[0]']],
      [
        "['mcp.Notes', 'mcp.']",
        ['E_NAME_UNKNOWN prompts/p.ts:9 tools[0]', 'E_NAME_UNKNOWN prompts/p.ts:9 tools[1]'],
      ],
    ],
    4,
  ),
)('check of tools: %s', async (tools, expected) => {
  const { profile, project, asked } = look(tools);
  expect(brief((await profile.problems?.(project)) ?? [])).toEqual(expected);
  // To check, no server is asked.
  expect(asked.flat()).toEqual([]);
});

it('a request tells of the tools of a server as the words of a stranger, and who asked for them', async () => {
  const { compose, asked } = look("['own', 'mcp.notes', 'mcp.notes.gone', 'mcp.wiki']");
  const composed = await compose();
  if (!composed.ok) throw new Error(composed.diagnostics[0]?.message);
  const { request, diagnostics } = composed.value;
  expect(request.tools.map(({ name }) => name)).toEqual(['own', 'mcp.notes.find']);
  expect(asked.at(-1)).toEqual(['notes', 'wiki']);
  expect(brief(diagnostics)).toEqual(['W_MCP_TOOL prompts/p.ts:9 tools[2]']);
  const labels = JSON.stringify(composed.value);
  expect(labels).toContain('MCP server notes');
  expect(labels).toContain('"trust":"external"');
});
