import { posix } from 'node:path';
import { guard } from '@cuebook/guard';
import { sayRemarks } from '../build.js';
import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { ReadHow } from '../reader.js';
import type { HandlebarsHow } from '../template/handlebars/partial.js';
import { indented } from '../template/handlebars/partial.js';
import { type DotToken, readHandlebars } from '../template/handlebars/read.js';
import { decodeFile, hasByteOrderMark } from '../text/decode.js';
import type { MappedText } from '../text/mapped.js';

/** A partial that can be kept: a file `_NAME.prompt`. */
export interface DotPartial {
  readonly path: string;
  readonly source: MappedText;
  readonly report: Reporter;
  readonly tokens: readonly DotToken[];
  /** Its text, where that is the same for all values. */
  readonly fixed: string | undefined;
  /** Whether it opens messages, so that it cannot be the text of one. */
  readonly hasRoles: boolean;
  readonly isBare: boolean;
  /** How many tokens it has with all partials in it. */
  readonly size: number;
}

/** Partials that repeat each other grow without end: past this many tokens or characters they are refused. */
const MAX_SIZE = 100_000;
const MAX_FIXED = 1_000_000;

const NAMED = /\{\{~?>\s*["']?([\w/-]+)/g;
const BLOCK = /\{\{~?\s*[#^]/;
const FIELDS = /^\s*---\s*(?:\r|\n)/;

/** The partials of one prompt, each read once. Names are looked for in the folder of the prompt, then in those above it. */
export class DotPartials {
  readonly #path: string;
  readonly #how: ReadHow;
  readonly #report: Reporter;
  readonly #hasBlocks: boolean;
  readonly #read = new Map<string, DotPartial | string>();
  readonly #open = new Set<string>();

  constructor(path: string, body: string, how: ReadHow, report: Reporter) {
    this.#path = path;
    this.#how = how;
    this.#report = report;
    this.#hasBlocks = this.#anyBlocks(body);
  }

  /** What a body needs to know of its partials. */
  get about(): HandlebarsHow {
    return {
      hasBlocks: this.#hasBlocks,
      fixedPartial: (name) => {
        const partial = this.find(name);
        return typeof partial === 'string' ? undefined : partial.fixed;
      },
      isBarePartial: (name) => {
        const partial = this.find(name);
        return typeof partial === 'string' || partial.isBare;
      },
    };
  }

  /** The partial of a name, or why it cannot be kept. */
  find(name: string): DotPartial | string {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    if (guard('adopt.partial-cycle', this.#open.has(name))) return 'leads back to itself';
    this.#open.add(name);
    const read = this.#load(name);
    this.#open.delete(name);
    this.#read.set(name, read);
    return read;
  }

  #load(name: string): DotPartial | string {
    const file = this.#fileOf(name);
    if (file === undefined)
      return `names a partial without a file: there is no _${posix.basename(name)}.prompt beside the prompt or above`;
    const report = reporter(file.path, this.#report.found);
    if (hasByteOrderMark(file.bytes))
      return `puts in ${quote(file.path)}, which begins with a byte order mark that the library prints`;
    const source = decodeFile(file.bytes, report);
    if (source !== undefined && FIELDS.test(source.text)) {
      const message = 'The library prints the fields of a partial as text; remove them';
      report.warning('W_IMPORT_REFERENCE', { line: 1, column: 1 }, message);
      return `puts in ${quote(file.path)}, which begins with fields`;
    }
    const read = source === undefined ? undefined : readHandlebars(source.text, this.about);
    if (source !== undefined && read !== undefined) sayRemarks(read.remarks, source, report);
    if (source === undefined || read?.tokens === undefined)
      return `puts in ${quote(file.path)}, which cannot be kept`;
    const { tokens } = read;
    const inner = new Map<string, DotPartial>();
    for (const token of tokens) {
      if (token.kind !== 'partial') continue;
      const partial = this.find(token.name);
      if (typeof partial === 'string')
        return `puts in ${quote(file.path)}, where ${quote(token.written)} ${partial}`;
      inner.set(token.name, partial);
    }
    const partials = [...inner.values()];
    const size = tokens.reduce(
      (sum, token) => sum + (token.kind === 'partial' ? (inner.get(token.name)?.size ?? 0) : 1),
      1,
    );
    const fixed = fixedText(tokens, inner);
    if (guard('adopt.partial-size', size > MAX_SIZE || (fixed?.length ?? 0) > MAX_FIXED))
      return `puts in ${quote(file.path)}, which is too large with all that it puts in`;
    return {
      path: file.path,
      source,
      report,
      tokens,
      fixed,
      hasRoles:
        tokens.some(({ kind }) => kind === 'role' || kind === 'history') ||
        partials.some(({ hasRoles }) => hasRoles),
      isBare: read.isBare === true,
      size,
    };
  }

  #fileOf(name: string): { readonly path: string; readonly bytes: Uint8Array } | undefined {
    const own = posix.join(posix.dirname(name), `_${posix.basename(name)}.prompt`);
    const folders: string[] = [];
    for (let folder = posix.dirname(this.#path); ; folder = posix.dirname(folder)) {
      folders.push(folder);
      if (folder === '.' || folder === '/' || folder.startsWith('..')) break;
    }
    const found = folders.flatMap((folder) => {
      const path = posix.normalize(posix.join(folder, own));
      const bytes = path.startsWith('..') ? undefined : this.#how.file?.(path);
      return bytes === undefined ? [] : [{ path, bytes }];
    });
    return found[0];
  }

  /** Whether the body or any partial that it leads to has blocks. */
  #anyBlocks(body: string): boolean {
    const seen = new Set<string>();
    const queue = [body];
    for (const text of queue) {
      if (BLOCK.test(text)) return true;
      for (const [, name = ''] of text.matchAll(NAMED)) {
        if (seen.has(name)) continue;
        seen.add(name);
        const file = this.#fileOf(name);
        if (file !== undefined) queue.push(new TextDecoder().decode(file.bytes));
      }
    }
    return false;
  }
}

function fixedText(tokens: readonly DotToken[], inner: ReadonlyMap<string, DotPartial>): string | undefined {
  const texts = tokens.map((token) => {
    if (token.kind === 'text') return token.text;
    const fixed = token.kind === 'partial' ? inner.get(token.name)?.fixed : undefined;
    return fixed === undefined || token.kind !== 'partial' ? undefined : indented(fixed, token.indent);
  });
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined;
}
