import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { coreName, value, values } from '../../test/arbitrary.js';
import { normal, promptOf } from '../../test/exported.js';
import { adopt, rendered } from '../../test/render.js';
import { mcpReader } from '../readers/mcp.js';
import { markerCalls } from '../readers/mcp-calls.js';
import type { ExportMessage } from '../writer.js';
import { writerOf } from '../writers.js';

const text = value.map((words) => ({ text: `T${words}` }));
const message = (parts: fc.Arbitrary<readonly ({ text: string } | { input: string })[]>) =>
  fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), parts });
const fixed = fc.array(message(fc.array(text, { minLength: 1, maxLength: 3 })), {
  minLength: 1,
  maxLength: 4,
});
const open = fc.array(
  message(
    fc
      .array(
        fc.oneof(
          text,
          coreName.map((input) => ({ input })),
        ),
        { maxLength: 4 },
      )
      .map((parts) => [{ text: 'T' }, ...parts]),
  ),
  { minLength: 1, maxLength: 3 },
);

const write = (id: string, given: readonly ExportMessage[]) => writerOf(id)?.write(promptOf(normal(given)));
const said = (given: readonly ExportMessage[], all: Readonly<Record<string, string>> = {}) =>
  given.flatMap((each) =>
    'history' in each
      ? []
      : [
          {
            role: each.role,
            content: each.parts
              .map((part) => ('text' in part ? part.text : 'input' in part ? (all[part.input] ?? '') : ''))
              .join(''),
          },
        ],
  );

it('any fixed prompt is sent to OpenAI byte for byte', () => {
  fc.assert(
    fc.property(fixed, (given) => {
      expect(JSON.parse(write('openai-messages', given)?.file?.text ?? '').messages).toEqual(said(given));
    }),
    runs(300, 3000),
  );
});

it('any fixed prompt is sent to Anthropic byte for byte, or refused where a system text is late', () => {
  fc.assert(
    fc.property(fixed, (given) => {
      const first = given.findIndex(({ role }) => role !== 'system');
      const isLate = first >= 0 && given.slice(first).some(({ role }) => role === 'system');
      const { file, diagnostics = [] } = write('anthropic-messages', given) ?? {};
      expect(file === undefined).toBe(isLate);
      if (file === undefined)
        return void expect(diagnostics.map(({ code }) => code)).toContain('E_EXPORT_FORMAT');
      const { system = [], messages } = JSON.parse(file.text) as {
        readonly system?: readonly { readonly text: string }[];
        readonly messages: readonly object[];
      };
      expect([...system.map((each) => ({ role: 'system', content: each.text })), ...messages]).toEqual(
        said(given),
      );
    }),
    runs(300, 3000),
  );
});

it('any prompt as answers of an MCP server is refused, or comes back from its markers', async () => {
  await fc.assert(
    fc.asyncProperty(open, values, async (given, all) => {
      const { file, diagnostics = [] } = write('mcp-json', given) ?? {};
      if (file === undefined)
        return void expect(diagnostics.map(({ code }) => code)).toContain('E_EXPORT_FORMAT');
      const { prompt, result } = JSON.parse(file.text) as {
        readonly prompt: { readonly arguments: readonly { readonly name: string }[] };
        readonly result: {
          readonly messages: readonly {
            readonly role: string;
            readonly content: { readonly text: string };
          }[];
        };
      };
      const names = prompt.arguments.map(({ name }) => name);
      /** A server that puts values where the markers stand. */
      const serve = (values: Readonly<Record<string, string>>) => ({
        arguments: values,
        messages: result.messages.map(({ role, content }) => ({
          role,
          content: {
            type: 'text',
            text: content.text.replace(/⟦(\w+)⟧/g, (mark, name: string) =>
              names.includes(name) ? (values[name] ?? '') : mark,
            ),
          },
        })),
      });
      const calls = markerCalls(names.map((name) => ({ name })));
      const renders = calls.map(serve);
      const adopted = adopt(mcpReader, 'mcp.json', JSON.stringify({ prompts: [{ prompt, renders }] }));
      expect(await rendered(adopted, all)).toEqual(
        said(given, all).map(({ role, content }) => ({ role: role === 'system' ? 'user' : role, content })),
      );
    }),
    runs(300, 3000),
  );
});
