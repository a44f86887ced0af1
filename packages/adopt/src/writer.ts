import type { AdoptDiagnostic } from './diagnostic.js';
import type { DraftTool } from './draft.js';
import { templateFacts } from './template/back/tree.js';

/**
 * A part of a message that is exported: text, the place of an input that the reader of the format fills, or a condition
 * or loop, as a template of a sheet.
 */
export type ExportPart =
  | { readonly text: string }
  | { readonly input: string }
  | { readonly template: string };

/** One message, or the place of earlier ones. */
export type ExportMessage =
  | {
      readonly role: string;
      readonly parts: readonly ExportPart[];
      /** Left out when all of its text is white space. */
      readonly omitsBlank?: boolean;
    }
  | { readonly history: string };

/** A composed target on its way out. */
export interface ExportPrompt {
  /** `sheet:NAME`. */
  readonly target: string;
  readonly name: string;
  readonly title?: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly tools: readonly DraftTool[];
  readonly capabilities: readonly string[];
  /** Texts of a message never touch: there is an input between two. */
  readonly messages: readonly ExportMessage[];
  /** Inputs that stand in a fence: only Cuebook escapes what is put there. */
  readonly fenced: readonly string[];
  /** Inputs that may be left out and have no value, for a format without variables: nothing stands in their place. */
  readonly absent?: readonly string[];
  /** What a sheet says about its inputs. */
  readonly inputs?: ReadonlyMap<string, ExportInput>;
  /** The cases that are kept about the target, for formats that have tests. */
  readonly cases?: readonly ExportCase[];
}

/** An input as its sheet declares it. */
export interface ExportInput {
  readonly isRequired: boolean;
  readonly description?: string;
  readonly example?: string;
}

/** A case of `cuebook test` or `cuebook eval` on its way out. */
export interface ExportCase {
  readonly name: string;
  /** The values of inputs: those of the case, or the author's examples. */
  readonly set: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly model?: string;
  /** What is expected of the answer, by the keys of a file of cases. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** What else the case says that decides what is sent; with any of it the case is not the same elsewhere. */
  readonly more: readonly string[];
  /** Checks of the request, and settings of evals: tests elsewhere have no place for them. */
  readonly lost: readonly string[];
}

/** A file that export writes: all of it is ours, or one region of it, so that people can write around. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
  readonly kind: 'whole' | 'region';
}

export interface Exported {
  /** Missing when the format cannot hold the prompt; then a diagnostic says why. */
  readonly file?: OutputFile;
  readonly diagnostics: readonly AdoptDiagnostic[];
}

/** The writer of one format. */
export interface FormatWriter {
  readonly id: string;
  readonly title: string;
  /** Whether it makes a file at a place that its tool reads; otherwise its text is for the caller. */
  readonly isPlaced: boolean;
  /** Whether its file has regions of several targets; otherwise a file is of one. */
  readonly isRegion?: boolean;
  /** Whether it has variables: without, inputs that may be left out are, and all others need a value. */
  readonly hasVariables: boolean;
  /** Whether it has conditions and loops: then templates are handed in as they are. */
  readonly hasSections?: boolean;
  /** Whether it has tests: then the cases of the target are handed in. */
  readonly hasCases?: boolean;
  readonly write: (prompt: ExportPrompt) => Exported;
}

/** A writer's lines about one prompt. */
export interface ExportReport {
  readonly found: AdoptDiagnostic[];
  readonly refuse: (code: 'E_EXPORT_FORMAT' | 'E_EXPORT_SPACE', message: string) => void;
  readonly warn: (code: 'W_EXPORT_LOST' | 'W_EXPORT_READERS', message: string) => void;
  readonly info: (code: 'W_EXPORT_LOST' | 'W_EXPORT_READERS', message: string) => void;
}

export function exportReport({ target }: ExportPrompt): ExportReport {
  const found: AdoptDiagnostic[] = [];
  const say =
    (severity: AdoptDiagnostic['severity']) =>
    (code: AdoptDiagnostic['code'], message: string): void => {
      found.push({ code, severity, message: `${target}: ${message}` });
    };
  return { found, refuse: say('error'), warn: say('warning'), info: say('info') };
}

/** The inputs of a prompt, each once. */
export const inputsIn = ({ messages }: ExportPrompt): readonly string[] => [
  ...new Set(
    messages.flatMap((message) => ('history' in message ? [] : message.parts.flatMap(inputsOfPart))),
  ),
];

/** The inputs that one part names. */
export function inputsOfPart(part: ExportPart): readonly string[] {
  if ('input' in part) return [part.input];
  return 'template' in part ? [...(templateFacts(part.template)?.inputs ?? [])] : [];
}

/** Refuses conditions and loops for a format that has none. */
export function refuseSections({ messages }: ExportPrompt, report: ExportReport): void {
  if (messages.some((message) => 'parts' in message && message.parts.some((part) => 'template' in part)))
    report.refuse(
      'E_EXPORT_FORMAT',
      'the format has no conditions and loops; give the inputs of the template a value with --set NAME=VALUE',
    );
}

/** The whole prompt as one text, messages with a blank line between; undefined when it has variables, which is reported. */
export function fixedText(prompt: ExportPrompt, report: ExportReport): string | undefined {
  const names = inputsIn(prompt);
  refuseSections(prompt, report);
  for (const name of names)
    report.refuse(
      'E_EXPORT_FORMAT',
      `the format has no variables; give the input ${JSON.stringify(name)} a value with --set ${name}=VALUE`,
    );
  nameAbsent(prompt, report);
  const histories = prompt.messages.filter((message) => 'history' in message);
  if (histories.length > 0)
    report.info(
      'W_EXPORT_LOST',
      'the place of earlier messages is not in the file; the tool has its own conversation',
    );
  if (names.length > 0) return undefined;
  return prompt.messages
    .flatMap((message) =>
      'history' in message ? [] : [message.parts.map((part) => ('text' in part ? part.text : '')).join('')],
    )
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Names the inputs that print nothing, because the format has no variables and nobody gave them a value. */
export function nameAbsent({ absent = [] }: ExportPrompt, report: ExportReport): void {
  if (absent.length === 0) return;
  const way = absent.map((name) => `--set ${name}=VALUE`).join(' ');
  report.warn(
    'W_EXPORT_LOST',
    `the format has no variables, and no text is written for ${absent.join(', ')}; give values with ${way}`,
  );
}

/** Names the inputs whose values the reader of the format will not escape. */
export function nameFences(prompt: ExportPrompt, report: ExportReport): void {
  const names = inputsIn(prompt).filter((name) => prompt.fenced.includes(name));
  if (names.length > 0)
    report.warn(
      'W_EXPORT_LOST',
      `the fence around ${names.join(', ')} stays as text, but values are not escaped where the format is rendered`,
    );
}

/** Names the messages that a sheet leaves out when they are blank, and the format does not, or the other way round. */
export function nameBlanks(
  { messages }: ExportPrompt,
  report: ExportReport,
  { formatOmits = false }: { readonly formatOmits?: boolean } = {},
): void {
  messages.forEach((message, index) => {
    if ('history' in message) return;
    const { omitsBlank = false, parts } = message;
    const hasWords = parts.some((part) => 'text' in part && part.text.trim() !== '');
    if (hasWords || omitsBlank === formatOmits) return;
    const [here, there] = formatOmits ? ['sent', 'left out'] : ['left out', 'sent'];
    report.info(
      'W_EXPORT_LOST',
      `message ${index + 1} is ${here} here when it is only white space; in the format it is ${there}`,
    );
  });
}

/** The last part of a sheet's name as a name of files: `agents/reviewer` is `reviewer`. */
export const fileName = (name: string): string => name.split('/').at(-1) ?? name;

/** A name of small letters, digits and single hyphens. */
export const kebabName = (name: string): string =>
  fileName(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);

/** What an import kept of the fields before a text. */
export const keptFields = ({ meta }: ExportPrompt): Readonly<Record<string, unknown>> =>
  typeof meta.frontmatter === 'object' && meta.frontmatter !== null
    ? (meta.frontmatter as Readonly<Record<string, unknown>>)
    : {};

/** What the format leaves out of a sheet, named once. */
export function nameLosses(
  prompt: ExportPrompt,
  kept: readonly ('params' | 'tools' | 'capabilities')[],
  report: ExportReport,
): void {
  const { params, tools, capabilities } = prompt;
  const lost = [
    ...(kept.includes('params') || Object.keys(params).length === 0
      ? []
      : [`parameters (${Object.keys(params).join(', ')})`]),
    ...(kept.includes('tools') || tools.length === 0
      ? []
      : [`tools (${tools.map(({ name }) => name).join(', ')})`]),
    ...(kept.includes('capabilities') || capabilities.length === 0
      ? []
      : [`capabilities (${capabilities.join(', ')})`]),
  ];
  if (lost.length > 0) report.warn('W_EXPORT_LOST', `the format has no place for ${lost.join(', ')}`);
}
