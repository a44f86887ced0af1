/** A digest of a text's UTF-8 bytes, written `sha256:` and 64 hex digits. */
export interface Hash {
  (text: string): string;
  /** Begins a digest that goes on from text to text. Left out where the digest cannot. */
  readonly begin?: (() => GrowingHash) | undefined;
}

/** The digest of a text that grows. Texts that are added are whole characters. */
export interface GrowingHash {
  add(text: string): void;
  /** Another one of the same text so far; the two go on apart. */
  copy(): GrowingHash;
  /** What the hash of the text so far is. More may be added afterwards. */
  read(): string;
}
