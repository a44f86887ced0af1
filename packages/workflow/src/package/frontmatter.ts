import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { readYaml, type YamlSource } from '@cuebook/yaml';

/** A Markdown file cut at its frontmatter. `head + front + fence + body` is the file, byte for byte. */
export interface Frontmatter {
  /** The first line, with its break. */
  readonly head: string;
  /** The YAML between the two lines of dashes. */
  readonly front: string;
  /** The second line of dashes, with its break. */
  readonly fence: string;
  readonly body: string;
  /** The YAML, read; lines count from the top of the file. */
  readonly yaml: YamlSource;
}

export interface FrontmatterError {
  readonly code: 'E_INVALID_FRONTMATTER';
  readonly message: string;
  readonly line: number;
}

/** In characters. */
const MAX_FRONTMATTER = 256 * 1024;

/**
 * Reads the frontmatter of a file. Nothing is executed and nothing is kept: the same text read twice gives two
 * values. The first line is exactly three dashes; a word behind them, which other readers take for a language
 * to run, is refused.
 */
export function readFrontmatter(file: string, text: string): Result<Frontmatter, FrontmatterError> {
  const refuse = (message: string, line = 1) =>
    fail({ code: 'E_INVALID_FRONTMATTER', message, line } as const);
  const open = /^---([^\n]*)\n/.exec(text);
  if (open === null) return refuse('The file does not begin with a line of three dashes');
  if (guard('frontmatter.fence', open[1]?.trimEnd() !== '')) {
    return refuse('Nothing may stand behind the three dashes: the frontmatter is YAML');
  }
  const head = open[0];
  const close = /^---[ \t\r]*(?:\n|$)/m.exec(text.slice(head.length));
  if (close === null) return refuse('A second line of three dashes is missing');
  const front = text.slice(head.length, head.length + close.index);
  if (guard('frontmatter.size', front.length > MAX_FRONTMATTER)) {
    return refuse(`The frontmatter has more than ${MAX_FRONTMATTER} characters`);
  }
  // An empty line stands for the first one, so that lines count from the top of the file.
  const yaml = readYaml(file, `\n${front}`, 'E_INVALID_FRONTMATTER');
  if (!yaml.ok) {
    const [first] = yaml.diagnostics;
    return refuse(first?.message ?? 'The frontmatter is not valid YAML', first?.line ?? 1);
  }
  const body = text.slice(head.length + close.index + close[0].length);
  return ok({ head, front, fence: close[0], body, yaml: yaml.value });
}
