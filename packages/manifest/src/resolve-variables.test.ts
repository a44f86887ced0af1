import { describe, expect, test } from 'vitest';
import { resolve, resolveText, SOURCES } from '../test/agents.js';

describe('variables', () => {
  const mcp = (toolNames?: string[]) => ({
    type: 'McpServer',
    mcpServer: { name: 's', ...(toolNames ? { toolNames } : {}) },
  });

  test.each<[template: string, spec: object, tools: object[], text: string]>([
    ['{{.AgentName}} {{.AgentNamespace}} {{.Description}}', { description: 'D' }, [], 'a default D'],
    ['[{{.Description}}]', {}, [], '[]'],
    ['{{.ToolNames}}|{{.SkillNames}}|{{len .SkillNames}}', {}, [mcp(['x', 'y'])], '[x y]|[]|0'],
    [
      '{{.ToolNames}}',
      {},
      [mcp(['b']), mcp(), { type: 'Agent', agent: { name: 'z' } }, mcp(['a', 'b'])],
      '[b a b]',
    ],
    ['{{eq nil .SkillNames}}', {}, [], 'true'],
    [
      '{{range $i, $t := .ToolNames}}{{if $i}}, {{end}}{{$i}}={{$t}}{{end}}',
      {},
      [mcp(['p', 'q'])],
      '0=p, 1=q',
    ],
    [
      '{{range .SkillNames}}<{{.}}>{{else}}none{{end}}',
      { skills: { refs: ['r/x:1', 'r/y@sha256:0'] } },
      [],
      '<x><y>',
    ],
    ['{{.}}', { description: 'D' }, [mcp(['t'])], '{a default D [t] []}'],
  ])('%j', (systemMessage, spec, tools, text) => {
    expect(resolveText({ systemMessage, tools, ...SOURCES() }, [], spec)).toBe(text);
  });

  test.each([
    [
      'x{{.Nope}}y',
      'E_TEMPLATE_EXEC',
      `failed to execute system message template: template: systemMessage:1:3: executing "systemMessage" at <.Nope>: can't evaluate field Nope in type agent.PromptTemplateContext`,
    ],
    [
      '{{upper .AgentName}}',
      'E_TEMPLATE_PARSE',
      'failed to parse system message template: template: systemMessage:1: function "upper" not defined',
    ],
    [
      '{{invalid syntax',
      'E_TEMPLATE_PARSE',
      'failed to parse system message template: template: systemMessage:1: function "invalid" not defined',
    ],
    [
      '{{include 3}}',
      'E_TEMPLATE_EXEC',
      'failed to execute system message template: template: systemMessage:1:10: executing "systemMessage" at <3>: expected string; found 3',
    ],
  ])('%j is refused in the words of Go', (systemMessage, code, message) => {
    const resolved = resolve({ systemMessage, ...SOURCES() });
    expect(resolved.ok ? resolved.text : resolved.diagnostic).toMatchObject({ code, message });
  });

  test('a template that runs away ends', () => {
    for (const systemMessage of [
      '{{range 9223372036854775807}}{{end}}',
      '{{range 10000000}}aaaaaaaaaa{{end}}',
    ]) {
      const resolved = resolve({ systemMessage, ...SOURCES() });
      expect(resolved.ok ? 'ended well' : resolved.diagnostic.code).toBe('E_TEMPLATE_LIMIT');
    }
  });
});
