import { interpolateMustache } from '@langchain/core/prompts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { corePieces, type Piece, printed, values, wildTemplate } from '../../test/arbitrary.js';
import { adopt, rendered } from '../../test/render.js';
import { handedIn } from '../../test/sections.js';
import type { ImportDraft } from '../draft.js';
import { githubModelsReader } from './github-models.js';
import { mcpReader } from './mcp.js';
import { markerCalls } from './mcp-calls.js';
import { openaiReader } from './openai.js';

/** Formats whose renderer is a service: `{{name}}` is what all engines agree on, so any of them says what is meant. */
const SERVICES = [
  {
    format: 'openai',
    read: (template: string): ImportDraft =>
      adopt(
        openaiReader,
        'prompts.json',
        JSON.stringify({
          ...{ openai_prompt_id: 'pmpt_1', name: 'p', production_version: '1' },
          versions: [{ version: '1', messages: [{ role: 'user', content: template }] }],
        }),
      ),
  },
  {
    format: 'github-models',
    read: (template: string): ImportDraft =>
      adopt(
        githubModelsReader,
        'p.prompt.yml',
        JSON.stringify({ messages: [{ role: 'user', content: template }] }),
      ),
  },
];

describe.each(SERVICES)('prompts of $format', ({ read }) => {
  it('of the portable core render the bytes that every engine gives', async () => {
    await fc.assert(
      fc.asyncProperty(corePieces, values, async (pieces, all) => {
        const template = printed(pieces, (name) => `{{${name}}}`);
        const adopted = read(template);
        expect(adopted.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
        expect(await rendered(adopted, all)).toEqual([
          { role: 'user', content: interpolateMustache(template, all) },
        ]);
      }),
      runs(200, 2000),
    );
  });

  it('outside of it are refused or told, and never render other bytes', async () => {
    await fc.assert(
      fc.asyncProperty(wildTemplate, async (template) => {
        const adopted = read(`T${template}`);
        if (adopted.sheets.length === 0)
          return void expect(adopted.diagnostics.some(({ severity }) => severity !== 'info')).toBe(true);
        const names = [...(adopted.sheets[0]?.inputs ?? [])].map(
          ([name, { sourceName = name }]) => sourceName,
        );
        const all = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
        expect(await rendered(adopted, handedIn(adopted, all))).toEqual([
          { role: 'user', content: interpolateMustache(`T${template}`, all) },
        ]);
      }),
      runs(1000, 10_000),
    );
  });
});

const filled = (pieces: readonly Piece[], all: Readonly<Record<string, string>>): string =>
  printed(pieces, (name) => all[name] ?? '');

/** Prompts that somebody else rendered with markers: the template is what stays the same. */
describe('rendered prompts', () => {
  const named = (pieces: readonly Piece[]): readonly string[] => [
    ...new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name]))),
  ];

  it('of a saved OpenAI response give their template back', async () => {
    await fc.assert(
      fc.asyncProperty(corePieces, values, async (pieces, all) => {
        const marks = Object.fromEntries(named(pieces).map((name) => [name, `⟦${name}⟧`]));
        const response = {
          ...{ object: 'response', id: 'resp_1', model: 'm' },
          prompt: { id: 'pmpt_1', version: '1', variables: marks },
          instructions: filled(pieces, marks),
        };
        const adopted = adopt(openaiReader, 'response.json', JSON.stringify(response));
        expect(await rendered(adopted, all)).toEqual([{ role: 'system', content: filled(pieces, all) }]);
      }),
      runs(200, 2000),
    );
  });

  it('of an MCP server render what the server answers to the same values', async () => {
    await fc.assert(
      fc.asyncProperty(corePieces, values, async (pieces, all) => {
        const names = named(pieces);
        const calls = markerCalls(names.map((name) => ({ name })));
        const renders = calls.map((given) => ({
          arguments: given,
          messages: [{ role: 'user', content: { type: 'text', text: filled(pieces, given) } }],
        }));
        const answers = {
          prompts: [{ prompt: { name: 'p', arguments: names.map((name) => ({ name })) }, renders }],
        };
        const adopted = adopt(mcpReader, 'mcp.json', JSON.stringify(answers));
        expect(await rendered(adopted, all)).toEqual([{ role: 'user', content: filled(pieces, all) }]);
      }),
      runs(200, 2000),
    );
  });
});
