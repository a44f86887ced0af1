/** Where the parts of an object literal stand in its source. Offsets count UTF-16 units. */
export interface Outline {
  readonly start: number;
  /** Where the property's key stands, for a value that has one. */
  readonly key?: number;
  /** The end of a string literal that is the whole value. */
  readonly literalEnd?: number;
  readonly entries?: ReadonlyMap<string, Outline>;
  readonly items?: readonly Outline[];
}
