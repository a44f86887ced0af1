import { FreeNames } from './free-name.js';

/** Gives each name of a source a name that a sheet can have: the same one for the same name, no one twice. */
export class NameTable {
  readonly #given = new Map<string, string>();
  readonly #free = new FreeNames();

  /** The name for `source`. Names that fit stay as they are. */
  give(source: string): string {
    const known = this.#given.get(source);
    if (known !== undefined) return known;
    const wish = inputName(source);
    const name = this.#free.give(wish, (count) => `${wish}_${count}`);
    this.#given.set(source, name);
    return name;
  }

  /** Keeps a name that fits for itself, before others are made. */
  reserve(source: string): void {
    if (inputName(source) === source) this.give(source);
  }

  get given(): ReadonlyMap<string, string> {
    return this.#given;
  }
}

/** A name for an input: letters, digits, dot, dash, underscore; a letter first. */
export function inputName(source: string): string {
  const plain = asciiName(source);
  return /^[A-Za-z]/.test(plain) ? plain : `input_${plain.replace(/^[_.-]+/, '')}`.replace(/_$/, '');
}

/** A name for a sheet or text: a path whose parts begin with a letter or digit. */
export function sheetName(source: string): string {
  const parts = source
    .split('/')
    .map((part) => fileName(asciiName(part).replace(/^[^A-Za-z0-9]+/, '')))
    .filter((part) => part !== '');
  return parts.length === 0 ? 'prompt' : parts.join('/');
}

/** No file may end with a dot or be called as a device, on any system: what is written here is checked out there. */
const fileName = (part: string): string =>
  part.replace(/\.+$/, '').replace(/^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, '$1_');

const asciiName = (source: string): string =>
  source
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .slice(0, 100);
