import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

const json = async (args: readonly string[], cwd: string) => {
  const { code, stdout } = await cuebook([...args, '--json'], { cwd });
  return { code, document: JSON.parse(stdout) };
};

describe('definitions in a project', () => {
  it('render as the exact request', async () => {
    const { code, document } = await json(
      ['render', 'prompt:reviewer', '--env', 'TEAM=blue', '--input', 'Look.'],
      folderWith(TEMPLATE),
    );
    expect(code).toBe(0);
    expect(document.profile).toBe('prompt');
    expect(document.messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'user']);
    expect(document.messages[1].content).toContain('blue');
    expect(document.tools).toEqual([
      {
        name: 'count_lines',
        description: 'Counts the lines of a text.',
        parameters: {
          type: 'object',
          properties: {
            text: { type: 'string', description: 'The text to count' },
            blank: { type: 'boolean', default: true, description: 'Whether blank lines count' },
          },
          required: ['text'],
          additionalProperties: false,
        },
      },
    ]);
    expect(document.params).toMatchObject({
      model: 'scripted-1',
      toolChoice: 'auto',
      parallelToolCalls: false,
      providerOptions: { cuebook: { environment: [{ name: 'TEAM', layer: 'thread' }] } },
    });
  });

  it('are found from a folder below, and by --project', async () => {
    const cwd = folderWith(TEMPLATE);
    mkdirSync(join(cwd, 'agents/prompts/deep'));
    const below = await json(['render', 'agent:desk', '--input', 'Hi'], join(cwd, 'agents/prompts/deep'));
    const named = await json(['render', 'agent:desk', '--input', 'Hi', '--project', cwd], folderWith());
    expect(below).toEqual(named);
    expect(below.document.messages.at(-1)).toEqual({ role: 'user', content: 'Hi' });
  });

  it('are explained to the line of their file', async () => {
    const { document } = await json(['explain', 'agent:desk', '--at', '3:1'], folderWith(TEMPLATE));
    expect(JSON.stringify(document)).toContain('"ref":"agents/prompts/manners.ts","line":7');
  });

  it('are checked all at once, with file and line, and the others still work', async () => {
    const cwd = folderWith({
      ...TEMPLATE,
      'agents/prompts/bad.ts': 'throw new Error("boo");',
      'agents/tools/empty.mjs': '',
    });
    const { code, document } = await json(['check'], cwd);
    expect(code).toBe(1);
    expect(
      document.diagnostics.map(
        ({ code: each, file, line }: Record<string, unknown>) => `${each} ${file}:${line}`,
      ),
    ).toEqual(['E_DEFINITION_LOAD agents/prompts/bad.ts:1', 'E_DEFINITION_EXPORT agents/tools/empty.mjs:1']);
    expect((await json(['render', 'prompt:reviewer'], cwd)).code).toBe(0);
    expect((await json(['render', 'prompt:bad'], cwd)).document.diagnostics).toMatchObject([
      { code: 'E_DEFINITION_LOAD' },
    ]);
  });

  it('are checked again when a file changes', async () => {
    const cwd = folderWith(TEMPLATE);
    const stop = new AbortController();
    const file = join(cwd, 'agents/prompts/manners.ts');
    const rounds: string[] = [];
    await cuebook(['check', 'prompt:manners', '--watch', '--json'], {
      cwd,
      stop: stop.signal,
      onPrint: (stdout) => {
        const lines = stdout.trim().split('\n');
        if (lines.length === rounds.length) return;
        rounds.push(lines.at(-1) ?? '');
        if (rounds.length === 1) writeFileSync(file, "export default { name: '' };\n");
        else stop.abort();
      },
    });
    expect(rounds.map((line) => JSON.parse(line).ok)).toEqual([true, false]);
  });

  it('show no red line in an editor, with zod installed and with nothing', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const bare = folderWith(TEMPLATE);
    const installed = folderWith(TEMPLATE);
    mkdirSync(join(installed, 'node_modules'));
    symlinkSync(join(ROOT, 'node_modules/zod'), join(installed, 'node_modules/zod'));
    for (const cwd of [bare, installed]) {
      const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', 'agents'], { cwd });
      expect(stdout).toBe('');
    }
    writeFileSync(
      join(bare, 'agents/tools/wrong.ts'),
      TEMPLATE['agents/tools/count_lines.ts']?.replace('text.split', 'text.cut') ?? '',
    );
    await expect(
      promisify(execFile)(process.execPath, [tsc, '-p', 'agents'], { cwd: bare }),
    ).rejects.toMatchObject({
      stdout: expect.stringContaining('cut'),
    });
  });
});
