/**
 * Gives names, no one twice: the first that wishes for a name has it, the next ones get it with a number. What was
 * tried for a wish is not tried again, so a thousand equal wishes cost a thousand steps.
 */
export class FreeNames {
  readonly #next = new Map<string, number>();
  readonly #given = new Set<string>();
  readonly #key: (name: string) => string;

  /** `isFile`: names that differ in small and large letters are one, as many disks have it. */
  constructor({ isFile = false }: { readonly isFile?: boolean } = {}) {
    this.#key = (name) => (isFile ? name.toLowerCase() : name);
  }

  /** The name for a wish; `numbered` writes it with a number. */
  give(wish: string, numbered: (count: number) => string = (count) => `${wish}-${count}`): string {
    let name = wish;
    let count = this.#next.get(this.#key(wish)) ?? 2;
    while (this.#given.has(this.#key(name))) {
      name = numbered(count);
      count += 1;
    }
    this.#next.set(this.#key(wish), count);
    this.#given.add(this.#key(name));
    return name;
  }
}
