import { printYaml } from '@cuebook/yaml';
import type { DraftBlock, DraftInput, DraftPart, DraftSheet, DraftText, ImportDraft } from './draft.js';
import { printGo } from './template/go.js';

/** A file of a project that import writes. */
export interface AdoptedFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a project that hold what was adopted, in the order of their paths. */
export function printFiles({ sheets, texts, cases }: ImportDraft): readonly AdoptedFile[] {
  // A text serves several sheets: it prints what any of them takes as JSON so that it fits all of them.
  const jsonNames = new Set(
    sheets.flatMap(({ inputs }) =>
      [...inputs].flatMap(([name, { type }]) => (type === 'json' ? [name] : [])),
    ),
  );
  const files = [
    ...sheets.map((sheet) => ({
      path: `sheets/${sheet.name}.yaml`,
      text: printYaml(sheetValue(sheet), WIDE),
    })),
    ...texts.map((text) => textFile(text, (name) => jsonNames.has(name))),
    ...cases.map(({ name, target, takes, cases: list }) => ({
      path: `tests/${name}.test.yaml`,
      text: printYaml({ target, ...(takes === undefined ? {} : { takes }), cases: list }, WIDE),
    })),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Texts of prompts are never folded: a person who edits them sees the lines that are sent. */
const WIDE = { wide: true } as const;

const textFile = (text: DraftText, isJson: (name: string) => boolean): AdoptedFile =>
  'markdown' in text
    ? { path: `texts/${text.name}.md`, text: text.markdown }
    : {
        path: `texts/${text.name}.yaml`,
        text: printYaml({ parts: text.parts.map((part) => partValue(part, isJson)) }, WIDE),
      };

/** A part as its YAML says it. Only a template can print an input that is JSON. */
function partValue(part: DraftPart, isJson: (name: string) => boolean): object {
  if ('template' in part) return { template: printGo(part.template, isJson) };
  if (!('input' in part) || !isJson(part.input)) return part;
  return { template: printGo([{ show: part.input, dot: '.' }], isJson) };
}

/** A sheet as its YAML says it, without keys that say nothing. */
function sheetValue(sheet: DraftSheet): Record<string, unknown> {
  const { title, meta, params, tools, answer, capabilities, inputs, blocks } = sheet;
  return {
    ...(title === undefined ? {} : { title }),
    ...(isEmpty(meta) ? {} : { meta }),
    ...(isEmpty(params) ? {} : { params }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(answer === undefined ? {} : { answer }),
    ...(capabilities.length === 0 ? {} : { capabilities }),
    ...(inputs.size === 0
      ? {}
      : { inputs: Object.fromEntries([...inputs].map(([name, input]) => [name, inputValue(input)])) }),
    blocks: blocks.map((block) => blockValue(block, (name) => inputs.get(name)?.type === 'json')),
  };
}

const isEmpty = (map: object): boolean => Object.keys(map).length === 0;

const inputValue = ({ trust, description, example, required, type }: DraftInput): object => ({
  trust,
  secrecy: 'public',
  volatility: 'turn',
  ...(description === undefined ? {} : { description }),
  ...(example === undefined ? {} : { example }),
  ...(required ? {} : { required }),
  ...(type === undefined ? {} : { type }),
});

const blockValue = (block: DraftBlock, isJson: (name: string) => boolean): object =>
  'history' in block ? block : { ...block, parts: block.parts.map((part) => partValue(part, isJson)) };
