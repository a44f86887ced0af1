import { quote, type Reporter } from './diagnostic.js';
import {
  type DraftBlock,
  type DraftInput,
  type DraftPart,
  type DraftRole,
  type DraftText,
  inputsOf,
} from './draft.js';
import { NameTable } from './names.js';
import { goInputs, renamed } from './template/go.js';
import type { TemplateReader, TemplateRemark, TemplateToken } from './template/tokens.js';
import { sayInvisible } from './text/characters.js';
import type { LineColumn, MappedText } from './text/mapped.js';

/** What one source calls its inputs, and what sheets call them. Shared by all sheets and texts of an import. */
export class InputBook {
  readonly names: NameTable;
  readonly #declared: Map<string, DraftInput>;
  readonly #report: Reporter;

  constructor(report: Reporter, around?: InputBook) {
    this.#report = report;
    this.names = around?.names ?? new NameTable();
    this.#declared = around === undefined ? new Map() : around.#declared;
  }

  /** The same names for a text of another file, which `report` is about. */
  within(report: Reporter): InputBook {
    return new InputBook(report, this);
  }

  /** The name of an input in sheets. A new name is reported where it is first used. */
  use(source: string, required: boolean, at: () => LineColumn): string {
    const known = this.names.given.get(source);
    if (known !== undefined) return known;
    const name = this.names.give(source);
    const place = at();
    if (name !== source) {
      const message = `The variable ${quote(source)} became the input ${quote(name)}`;
      this.#report.info('W_IMPORT_NAME', place, message);
    }
    const renamed = name === source ? {} : { sourceName: source };
    this.#declared.set(name, { required, at: place, file: this.#report.file, ...renamed });
    return name;
  }

  declared(name: string): DraftInput | undefined {
    return this.#declared.get(name);
  }
}

export interface TemplateHow {
  readonly read: TemplateReader;
  readonly book: InputBook;
  readonly report: Reporter;
  readonly required: boolean | ((name: string) => boolean);
}

/** A template as parts; undefined when it cannot be one, which is reported. */
export function templateParts(
  source: MappedText,
  { read, book, report, required }: TemplateHow,
): readonly DraftPart[] | undefined {
  const { tokens, remarks } = read(source.text);
  sayRemarks(remarks, source, report);
  return tokens?.map((token) => tokenPart(token, source, book, required));
}

/** A template may have a hundred thousand tags that do not fit; the first ones say enough. */
const MAX_REMARKS = 100;

/** Says what there is to say about a template: what its reader remarks, and characters that nobody sees. */
export function sayRemarks(remarks: readonly TemplateRemark[], source: MappedText, report: Reporter): void {
  sayInvisible(source, report);
  for (const remark of remarks.slice(0, MAX_REMARKS))
    report[remark.severity](remark.code, source.at(remark.start), remark.message);
  const rest = remarks.slice(MAX_REMARKS);
  const first = rest[0];
  if (first === undefined) return;
  const worst = rest.find(({ severity }) => severity !== 'info') ?? first;
  report[worst.severity](
    worst.code,
    source.at(first.start),
    `${rest.length} more places of this text are like these`,
  );
}

/** A token as a part; what the source calls an input gets the name that sheets have for it. */
export function tokenPart(
  token: TemplateToken,
  source: MappedText,
  book: InputBook,
  required: boolean | ((name: string) => boolean),
): DraftPart {
  if (token.kind === 'text') return { text: token.text };
  const use = (name: string): string =>
    book.use(name, typeof required === 'boolean' ? required : required(name), () => source.at(token.start));
  return token.kind === 'variable' ? { input: use(token.name) } : { template: renamed(token.pieces, use) };
}

/** The role that a sheet has for a role of another tool; undefined when there is none. */
export const roleOf = (role: string): DraftRole | undefined =>
  Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;

const ROLES: Readonly<Record<string, DraftRole>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  tool: 'tool',
};

/** Collects the messages of one prompt. Once something does not fit, the prompt is given up and the rest is still looked at. */
export class Messages {
  readonly blocks: DraftBlock[] = [];
  #isWhole = true;
  #hasInputOnly = false;
  #clash: string | undefined;
  readonly #inputs = new Set<string>();
  readonly #histories = new Set<string>();
  readonly #report: Reporter;

  constructor(report: Reporter) {
    this.#report = report;
  }

  giveUp(): void {
    this.#isWhole = false;
  }

  /** Whether every message could be kept. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** A message whose parts are read; `given` is the role as the source has it. */
  add(
    given: string,
    parts: readonly DraftPart[] | undefined,
    at: LineColumn | undefined,
    { omitsBlank = false }: { readonly omitsBlank?: boolean } = {},
  ): void {
    const role = roleOf(given);
    if (role === undefined) {
      this.#report.warning(
        'W_IMPORT_ROLE',
        at,
        `The role ${quote(given)} is not one of a sheet; the prompt was not imported`,
      );
      this.#isWhole = false;
    } else if (role !== given) {
      this.#report.info('W_IMPORT_ROLE', at, `The role ${quote(given)} became ${quote(role)}`);
    }
    if (parts === undefined) this.#isWhole = false;
    if (role === undefined || parts === undefined) return;
    if (parts.every((part) => 'text' in part && part.text === '')) {
      this.#report.info('W_IMPORT_EMPTY', at, 'A message without text was left out: a sheet sends none');
      return;
    }
    if (!omitsBlank && !this.#hasInputOnly && parts.every((part) => 'input' in part || 'template' in part)) {
      this.#hasInputOnly = true;
      this.#report.info(
        'W_IMPORT_EMPTY',
        at,
        'This message is made of inputs alone: it is left out when they are empty',
      );
    }
    for (const name of parts.flatMap(inputsOf)) {
      if (this.#histories.has(name)) this.#clash ??= name;
      this.#inputs.add(name);
    }
    this.#refuseClash(at);
    const name = `message-${this.blocks.length + 1}`;
    this.blocks.push({ name, role, ...(omitsBlank ? { blank: 'omit' } : {}), parts });
  }

  /** The place of earlier messages. A name that an input or another place has cannot be handed in twice. */
  history(name: string, at: LineColumn, required = false): void {
    if (this.#histories.has(name) || this.#inputs.has(name)) this.#clash ??= name;
    this.#histories.add(name);
    this.#refuseClash(at);
    this.blocks.push({ history: { name, ...(required ? { required } : {}) } });
  }

  #refuseClash(at: LineColumn | undefined): void {
    if (this.#clash === undefined || !this.#isWhole) return;
    this.#isWhole = false;
    const message = `${quote(this.#clash)} stands for messages at one place and is used again; the prompt was not imported`;
    this.#report.warning('W_IMPORT_PLACEHOLDER', at, message);
  }
}

/** The inputs that the blocks use, those of included texts too. */
export function inputsFor(
  blocks: readonly DraftBlock[],
  book: InputBook,
  texts: ReadonlyMap<string, DraftText> = new Map(),
): ReadonlyMap<string, DraftInput> {
  const inputs = new Map<string, DraftInput>();
  const seen = new Set<string>();
  const add = (parts: readonly DraftPart[]): void => {
    for (const part of parts) {
      const json = 'template' in part ? goInputs(part.template).json : undefined;
      for (const name of inputsOf(part)) {
        const declared = inputs.get(name) ?? book.declared(name);
        if (declared !== undefined)
          inputs.set(name, json?.has(name) === true ? { ...declared, type: 'json' } : declared);
      }
      if ('include' in part && !seen.has(part.include)) {
        seen.add(part.include);
        const text = texts.get(part.include);
        if (text !== undefined && 'parts' in text) add(text.parts);
      }
    }
  };
  for (const block of blocks) if ('parts' in block) add(block.parts);
  return inputs;
}
