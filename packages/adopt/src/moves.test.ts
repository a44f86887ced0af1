import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inTurn, runs } from '../../../test/runs.js';
import { wildTemplate } from '../test/arbitrary.js';
import { exportOf } from '../test/exported.js';
import { LIBRARIES } from '../test/libraries.js';
import { adopt, rendered } from '../test/render.js';
import {
  handedIn,
  handlebarsTemplate,
  type Json,
  mustacheTemplate,
  nunjucksTemplate,
  sectionValues,
} from '../test/sections.js';
import { isLoss } from './diagnostic.js';
import type { ImportDraft } from './draft.js';
import { readerOf } from './readers.js';
import { writerOf } from './writers.js';

// A prompt moves from one tool to another through a sheet: it is refused with a code, or the second library prints what
// the first one does.

const system = { role: 'system', content: 'S {{b}}' };
const SOURCES: readonly {
  readonly id: string;
  readonly path: string;
  readonly sections: fc.Arbitrary<string>;
  readonly file: (template: string) => string;
  /** The library that reads it; services have none, and mean what every engine gives. */
  readonly library?: string;
}[] = [
  {
    id: 'dotprompt',
    path: 'p.prompt',
    sections: handlebarsTemplate,
    file: (template) => `---\nmodel: m\n---\n{{role "system"}}S {{b}}{{role "user"}}${template}.`,
    library: 'dotprompt',
  },
  {
    id: 'langfuse',
    path: 'p.json',
    sections: mustacheTemplate,
    file: (template) =>
      JSON.stringify([
        { name: 'p', version: 1, type: 'chat', prompt: [system, { role: 'user', content: `${template}.` }] },
      ]),
    library: 'langfuse',
  },
  {
    id: 'promptfoo',
    path: 'p/promptfooconfig.json',
    sections: nunjucksTemplate,
    file: (template) =>
      JSON.stringify({
        prompts: [{ raw: JSON.stringify([system, { role: 'user', content: `${template}.` }]) }],
      }),
    library: 'promptfoo',
  },
  {
    id: 'openai',
    path: 'p.json',
    sections: mustacheTemplate,
    file: (template) =>
      JSON.stringify({
        ...{ openai_prompt_id: 'pmpt_1', name: 'p', production_version: '1' },
        versions: [{ version: '1', messages: [system, { role: 'user', content: `${template}.` }] }],
      }),
  },
  {
    id: 'github-models',
    path: 'p.prompt.yml',
    sections: mustacheTemplate,
    file: (template) => JSON.stringify({ messages: [system, { role: 'user', content: `${template}.` }] }),
  },
];
const TARGETS = ['dotprompt', 'langfuse', 'langchain', 'promptfoo'];

const read = (id: string, path: string, text: string): ImportDraft => {
  const reader = readerOf(id);
  if (reader === undefined) throw new Error(id);
  return adopt(reader, path, text);
};

/** The values under the names that the sheet has for them: JSON where it takes JSON, else text. */
function renamed(adopted: ImportDraft, values: Readonly<Record<string, Json>>): Record<string, unknown> {
  const [sheet] = adopted.sheets;
  return Object.fromEntries(
    Object.entries(handedIn(adopted, values)).map(([name, text]) => [
      name,
      sheet?.inputs.get(name)?.type === 'json' ? JSON.parse(text) : text,
    ]),
  );
}

const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await work();
  } catch {
    return undefined;
  }
};

describe.each(SOURCES)('a prompt of $id', ({ id, path, sections, file, library }) => {
  it.each(inTurn(TARGETS, 4))('that moves to %s is refused, or prints the same there', async (to) => {
    const seen = { refused: 0, moved: 0 };
    await fc.assert(
      fc.asyncProperty(fc.oneof(sections, wildTemplate), sectionValues, async (template, values) => {
        const source = file(`T${template}`);
        const adopted = read(id, path, source);
        if (adopted.sheets.length === 0) {
          seen.refused += 1;
          return void expect(adopted.diagnostics.some(isLoss)).toBe(true);
        }
        const out = writerOf(to)?.write(exportOf(adopted));
        if (out?.file === undefined) {
          seen.refused += 1;
          return void expect(
            out?.diagnostics.some(({ code, severity }) => severity === 'error' && /^E_EXPORT_/.test(code)),
          ).toBe(true);
        }
        // A value that a sheet refuses, such as a text where Nunjucks loops over its characters, is no value of the prompt.
        const ours = await attempt(() => rendered(adopted, handedIn(adopted, values)));
        if (ours === undefined) return;
        seen.moved += 1;
        const text = out.file.text;
        // f-strings have no optional inputs: what is not given is the empty text.
        const absent = Object.fromEntries(
          [...(adopted.sheets[0]?.inputs.keys() ?? [])].map((name) => [name, '']),
        );
        const given = { ...(to === 'langchain' ? absent : {}), ...renamed(adopted, values) };
        // An error of a library, such as that of mustache.js for a null in a list, is no other result.
        const there = await attempt(async () => LIBRARIES[to]?.(text, given));
        if (there !== undefined) expect(there.filter(({ content }) => content !== '')).toEqual(ours);
        if (library === undefined) return;
        // Where values are text only, the first library gets them as text, too.
        const isTyped = [...(adopted.sheets[0]?.inputs.values() ?? [])].some(({ type }) => type === 'json');
        if (!isTyped) return;
        const theirs = await attempt(async () => LIBRARIES[library]?.(source, values));
        if (theirs !== undefined) expect(ours).toEqual(theirs.filter(({ content }) => content !== ''));
      }),
      runs(300, 3000),
    );
    expect(Math.min(seen.refused, seen.moved)).toBeGreaterThan(0);
  });
});
