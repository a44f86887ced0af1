/** Reads the literals that Python prints for dictionaries, lists, texts, numbers, True, False and None. Undefined: it is none. */
export function readPythonLiteral(text: string): unknown {
  let at = 0;
  const end = Symbol('no literal');
  const skip = (): void => {
    while (/\s/u.test(text[at] ?? '')) at += 1;
  };
  const eat = (expected: string): boolean => {
    skip();
    if (!text.startsWith(expected, at)) return false;
    at += expected.length;
    return true;
  };
  function value(depth: number): unknown {
    if (depth > MOST_DEEP) return end;
    skip();
    const first = text[at] ?? '';
    if (first === "'" || first === '"') return quoted(first);
    if (eat('{')) return pairs(depth);
    if (eat('[')) return items(depth, ']');
    if (eat('(')) return items(depth, ')');
    const [word] = /^(?:True|False|None|true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/u.exec(
      text.slice(at, at + 40),
    ) ?? [''];
    if (word === '') return end;
    at += word.length;
    if (/^(?:True|true)$/u.test(word)) return true;
    if (/^(?:False|false)$/u.test(word)) return false;
    return /^(?:None|null)$/u.test(word) ? null : Number(word);
  }
  function quoted(mark: string): unknown {
    let told = '';
    for (at += 1; at < text.length; at += 1) {
      const each = text[at] as string;
      if (each === mark) {
        at += 1;
        return told;
      }
      if (each !== '\\') {
        told += each;
        continue;
      }
      at += 1;
      const escaped = text[at] ?? '';
      told += ({ n: '\n', t: '\t', r: '\r' } as Readonly<Record<string, string>>)[escaped] ?? escaped;
    }
    return end;
  }
  function items(depth: number, close: string): unknown {
    const all: unknown[] = [];
    for (;;) {
      if (eat(close)) return all;
      const each = value(depth + 1);
      if (each === end) return end;
      all.push(each);
      if (!eat(',')) return eat(close) ? all : end;
    }
  }
  function pairs(depth: number): unknown {
    const all: [string, unknown][] = [];
    for (;;) {
      if (eat('}')) return Object.fromEntries(all);
      const key = value(depth + 1);
      if (key === end || !eat(':')) return end;
      const each = value(depth + 1);
      if (each === end) return end;
      all.push([String(key), each]);
      if (!eat(',')) return eat('}') ? Object.fromEntries(all) : end;
    }
  }
  const read = value(0);
  skip();
  return read === end || at < text.length ? undefined : read;
}

const MOST_DEEP = 64;
