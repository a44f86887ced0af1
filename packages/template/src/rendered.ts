import { normal, toBytes } from './fmt/bytes.js';
import { type Pieces, spansOf, type TemplateSpan } from './spans.js';

/** What a template rendered to. Bytes and spans are computed when they are first asked for. */
export interface Rendered {
  /** The output; a byte that is not UTF-8 shows as U+FFFD. */
  readonly text: string;
  /** The output, byte for byte. */
  readonly bytes: Uint8Array;
  /** Where each byte comes from: sorted, without gaps, none of them empty. */
  readonly spans: readonly TemplateSpan[];
}

/** A class, because getters of a literal cost more than a small render. */
export class LazyRendered implements Rendered {
  readonly #pieces: Pieces;
  #text: string | undefined;
  #bytes: Uint8Array | undefined;
  #spans: readonly TemplateSpan[] | undefined;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  get text(): string {
    const { out } = this.#pieces;
    this.#text ??= out.isWellFormed() ? out : normal(out).toWellFormed();
    return this.#text;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= toBytes(this.#pieces.out);
    return this.#bytes;
  }

  get spans(): readonly TemplateSpan[] {
    this.#spans ??= spansOf(this.#pieces);
    return this.#spans;
  }
}
