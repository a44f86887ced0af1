import { createHash } from 'node:crypto';

/** The names of tools as a vendor takes them, and back. */
export interface ToolNames {
  toWire(name: string): string;
  /** A name that was never sent, which a model may make up, stays as it is. */
  fromWire(name: string): string;
}

/** Letters, digits, underscore and dash, not beginning with a digit or a dash: every vendor takes these. */
const PLAIN = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
/** What a mapped name ends with. A plain name that ends so is mapped too, so that the two never meet. */
const MAPPED = /_x[0-9a-f]{12}$/;

/**
 * One name on the wire for each tool and one tool for each such name. A plain name is its own; any other keeps
 * what is readable of it and ends in a digest, the same in every turn.
 */
export function mapToolNames(names: Iterable<string>): ToolNames {
  const wires = new Map<string, string>();
  const tools = new Map<string, string>();
  for (const name of names) {
    if (wires.has(name)) continue;
    let wire = wireName(name, 0);
    for (let salt = 1; tools.has(wire); salt += 1) wire = wireName(name, salt);
    wires.set(name, wire);
    tools.set(wire, name);
  }
  return {
    toWire: (name) => wires.get(name) ?? wireName(name, 0),
    fromWire: (wire) => tools.get(wire) ?? wire,
  };
}

function wireName(name: string, salt: number): string {
  if (salt === 0 && PLAIN.test(name) && !MAPPED.test(name)) return name;
  const digest = createHash('sha256').update(`${salt}:${name}`).digest('hex').slice(0, 12);
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').replace(/^[^a-zA-Z_]/, '_');
  return `${readable.slice(0, 50) || '_'}_x${digest}`;
}
