import type { DraftPart, ImportDraft } from '../src/draft.js';
import { printGo } from '../src/template/go.js';
import type { ExportMessage, ExportPart, ExportPrompt } from '../src/writer.js';

/** A prompt to export, with what a test does not care about left empty. */
export const promptOf = (
  messages: readonly ExportMessage[],
  more: Partial<ExportPrompt> = {},
): ExportPrompt => ({
  target: 'sheet:p',
  name: 'p',
  meta: {},
  params: {},
  tools: [],
  capabilities: [],
  fenced: [],
  messages,
  ...more,
});

/** An imported sheet on its way out again. */
export function exportOf({ sheets, texts }: ImportDraft): ExportPrompt {
  const [sheet] = sheets;
  if (sheet === undefined) throw new Error('nothing was imported');
  const flat = (parts: readonly DraftPart[]): readonly ExportPart[] =>
    parts.flatMap((part): readonly ExportPart[] => {
      const isJson = (input: string): boolean => sheet.inputs.get(input)?.type === 'json';
      if ('template' in part) return [{ template: printGo(part.template, isJson) }];
      // Only a template can print what is handed in as JSON.
      if ('input' in part && isJson(part.input))
        return [{ template: printGo([{ show: part.input, dot: '.' }], isJson) }];
      if (!('include' in part)) return [part];
      const text = texts.find(({ name }) => name === part.include);
      if (text === undefined) throw new Error(`no text ${part.include}`);
      return 'markdown' in text ? [{ text: text.markdown }] : flat(text.parts);
    });
  const messages = sheet.blocks.map(
    (block): ExportMessage =>
      'history' in block ? { history: block.history.name } : { role: block.role, parts: flat(block.parts) },
  );
  const { name, title, meta, params, tools, capabilities } = sheet;
  return promptOf(messages, {
    target: `sheet:${name}`,
    name,
    ...(title === undefined ? {} : { title }),
    meta,
    params,
    tools,
    capabilities,
  });
}

/** Texts that touch are one, and empty ones none: what counts is what is sent. */
export const normal = (messages: readonly ExportMessage[]): readonly ExportMessage[] =>
  messages.map((message) =>
    'history' in message
      ? message
      : {
          role: message.role,
          parts: message.parts.reduce<ExportPart[]>((all, part) => {
            const last = all.at(-1);
            if ('text' in part && last !== undefined && 'text' in last)
              all[all.length - 1] = { text: last.text + part.text };
            else if (!('text' in part) || part.text !== '') all.push(part);
            return all;
          }, []),
        },
  );
