import { type Diagnostic, fail, ok, type Result } from '@cuebook/prompt';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';

/** A YAML or JSON text whose values know their lines. */
export interface YamlText {
  readonly value: unknown;
  /** File, line and column of the value at a path, or of the nearest parent that is there. */
  readonly place: (path: readonly PropertyKey[]) => Place;
}

type Place = Pick<Diagnostic, 'file' | 'line' | 'column'>;

export interface YamlTextOptions {
  readonly file: string;
  /** Of the diagnostics. */
  readonly code: string;
  readonly maxBytes: number;
}

/** Size, depth and aliases are bounded; nothing is executed. */
export function readYamlText(
  text: string,
  { file, code, maxBytes }: YamlTextOptions,
): Result<YamlText, readonly Diagnostic[]> {
  const counter = new LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return line === 0 ? { file } : { file, line, column: col };
  };
  const problem = (message: string, place: Place = { file }): Diagnostic => ({
    code,
    severity: 'error',
    message,
    ...place,
  });
  if (Buffer.byteLength(text) > maxBytes) return fail([problem(`The text is longer than ${maxBytes} bytes`)]);
  try {
    const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
    if (document.errors.length > 0) {
      return fail(document.errors.slice(0, 100).map(({ message, pos }) => problem(message, at(pos[0]))));
    }
    return ok({
      value: document.toJS({ maxAliasCount: 100 }) as unknown,
      place: (path) => at(offsetOf(document, path)),
    });
  } catch {
    // The parser recurses: what is nested too deep ends its stack, and too many aliases end its patience.
    return fail([problem('The text is nested too deep, or repeats itself through too many aliases')]);
  }
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
