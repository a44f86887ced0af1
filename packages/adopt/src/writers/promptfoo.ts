import { promptfooReader } from '../readers/promptfoo.js';
import { toNunjucks } from '../template/back/nunjucks.js';
import { templateFacts } from '../template/back/tree.js';
import { NUNJUCKS_WORDS } from '../template/nunjucks/expression.js';
import {
  type ExportCase,
  type ExportPrompt,
  type ExportReport,
  type FormatWriter,
  inputsIn,
  nameLosses,
} from '../writer.js';
import { jsonWriter, templateText } from './json-formats.js';

/**
 * A configuration of promptfoo: one prompt, a chat as JSON, into whose texts promptfoo puts variables, and the cases of
 * the target as tests. Who answers is named where all cases ask the same model; else it is for the reader to add.
 */
export const promptfooWriter: FormatWriter = {
  ...jsonWriter(
    'promptfoo',
    'promptfoo: promptfooconfig.json with the prompt as a chat, and its cases as tests',
    (prompt, report) => {
      nameLosses(prompt, [], report);
      if (prompt.messages.some((message) => 'history' in message))
        report.refuse('E_EXPORT_FORMAT', 'the format has no place for earlier messages');
      const word = inputsIn(prompt).find((name) => NUNJUCKS_WORDS.includes(name));
      if (word !== undefined)
        report.refuse('E_EXPORT_FORMAT', `the name "${word}" is a word of its template language`);
      const chat = prompt.messages.flatMap((message) =>
        'history' in message
          ? []
          : [{ role: message.role, content: templateText(message, toNunjucks, report) }],
      );
      const { tests, kept } = testsOf(prompt, report);
      const provider = providerOf(kept, report);
      return {
        description: prompt.title ?? prompt.name,
        prompts: [{ label: prompt.target, raw: JSON.stringify(chat) }],
        ...(provider === undefined ? {} : { providers: [provider] }),
        ...(tests.length === 0 ? {} : { tests }),
      };
    },
    promptfooReader,
  ),
  hasCases: true,
};

interface PromptfooTest {
  readonly description: string;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly assert?: readonly PromptfooAssert[];
}

interface PromptfooAssert {
  readonly type: string;
  readonly value: string;
}

/** The cases as tests. One that would test something else is left out; a check that has no form is named. */
function testsOf(
  prompt: ExportPrompt,
  report: ExportReport,
): { readonly tests: readonly PromptfooTest[]; readonly kept: readonly ExportCase[] } {
  const names = new Set(inputsIn(prompt));
  const json = new Set(prompt.messages.flatMap(jsonInputs));
  const kept: ExportCase[] = [];
  const tests = (prompt.cases ?? []).flatMap((each): readonly PromptfooTest[] => {
    const lose = (what: string): void =>
      report.warn('W_EXPORT_LOST', `the case ${JSON.stringify(each.name)}: ${what}`);
    const vars = Object.entries(each.set).filter(([name]) => names.has(name));
    const [strange] = vars.filter(([name, value]) => isTemplate(value) || (json.has(name) && isList(value)));
    if (each.more.length > 0 || strange !== undefined) {
      lose(
        strange === undefined
          ? `the format has no place for its ${each.more.join(', ')}; it was left out`
          : `promptfoo would read the value of ${JSON.stringify(strange[0])} as a template, a file or several tests; it was left out`,
      );
      return [];
    }
    if (each.lost.length > 0) lose(`the format has no place for its ${each.lost.join(', ')}`);
    const assert = assertsOf(each.answer, lose);
    kept.push(each);
    // One line break at the end of a value is taken off by promptfoo.
    const given = vars.map(([name, value]) => [
      name,
      json.has(name) ? parsed(value) : value.endsWith('\n') ? `${value}\n` : value,
    ]);
    return [
      {
        description: each.name,
        ...(given.length === 0 ? {} : { vars: Object.fromEntries(given) as Record<string, unknown> }),
        ...(assert.length === 0 ? {} : { assert }),
      },
    ];
  });
  return { tests, kept };
}

/** The inputs that conditions and loops look at: a sheet takes them as JSON. */
const jsonInputs = (message: ExportPrompt['messages'][number]): readonly string[] =>
  'history' in message
    ? []
    : message.parts.flatMap((part) =>
        'template' in part ? [...(templateFacts(part.template)?.json ?? [])] : [],
      );

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const isList = (value: string): boolean => Array.isArray(parsed(value));

/** promptfoo renders values and checks as templates, and reads files that they name. */
const isTemplate = (text: string): boolean => /\{\{|\{%|\{#|#\}|^file:\/\//.test(text);

const TYPES: Readonly<Record<string, (text: string) => PromptfooAssert | undefined>> = {
  equals: (value) => ({ type: 'equals', value }),
  contains: (value) => ({ type: 'contains', value }),
  absent: (value) => ({ type: 'not-contains', value }),
  matches: (value) => (isUnicodePattern(value) ? undefined : { type: 'regex', value }),
  startsWith: (value) => ({ type: 'regex', value: `^\\s*${escaped(value.trim())}` }),
  endsWith: (value) => ({ type: 'regex', value: `${escaped(value.trim())}\\s*$` }),
};

function assertsOf(answer: ExportCase['answer'], lose: (what: string) => void): readonly PromptfooAssert[] {
  return Object.entries(answer).flatMap(([key, expected]) => {
    const make = Object.hasOwn(TYPES, key) ? TYPES[key] : undefined;
    const texts = (Array.isArray(expected) ? expected : [expected]).filter(
      (text) => typeof text === 'string',
    );
    const asserts = texts.flatMap((text) => make?.(text) ?? []).filter(({ value }) => !isTemplate(value));
    const all = Array.isArray(expected) ? expected.length : 1;
    if (asserts.length < all) lose(`the format has no form for its check ${JSON.stringify(key)}`);
    return asserts;
  });
}

/** promptfoo compiles patterns without the flag `u`, which these need. */
const isUnicodePattern = (pattern: string): boolean => /\\[pP]\{|\\u\{/.test(pattern);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const PREFIXES: Readonly<Record<string, string>> = {
  openai: 'openai:chat:',
  anthropic: 'anthropic:messages:',
  google: 'google:',
};

/** The model that all cases with an answer ask. */
function providerOf(cases: readonly ExportCase[], report: ExportReport): string | undefined {
  const asking = cases.filter(({ answer }) => Object.keys(answer).length > 0);
  const voices = new Set(
    asking.map(({ provider = '', model = '' }) =>
      Object.hasOwn(PREFIXES, provider) && /^[\w.-]+$/.test(model)
        ? `${PREFIXES[provider]}${model}`
        : undefined,
    ),
  );
  const [only] = voices;
  if (asking.length > 0 && (voices.size > 1 || only === undefined))
    report.info('W_EXPORT_LOST', 'the cases do not ask one model that the format knows: add `providers`');
  return voices.size === 1 ? only : undefined;
}
