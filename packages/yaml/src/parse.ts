import { Composer, type CST, type Document, Lexer, type LineCounter, Parser, type ScalarTag } from 'yaml';

/** How a reader differs from YAML 1.2. */
export interface YamlDialect {
  /** `y`, `yes`, `on` and their opposites without quotes are booleans, as YAML 1.1 and Kubernetes read them. */
  readonly oldBooleans?: boolean;
  /** `<<` merges maps into the one it stands in. */
  readonly merge?: boolean;
}

/**
 * The documents of a stream; undefined when one is nested too deep. The library composes recursively, and a
 * document of some ten thousand brackets ends the process rather than throw, so depth is bounded before.
 */
export function parseYaml(
  text: string,
  lineCounter: LineCounter,
  dialect: YamlDialect = {},
): readonly Document[] | undefined {
  const composer = new Composer({
    lineCounter,
    prettyErrors: false,
    // The library looks for repeated keys pair by pair, in the square of their number; `indexNodes` does it.
    uniqueKeys: false,
    ...(dialect.merge === true ? { merge: true } : {}),
    ...(dialect.oldBooleans === true ? { customTags: (tags) => [...OLD_BOOLEANS, ...tags] } : {}),
  });
  const state = { isTooDeep: false };
  const documents = [...composer.compose(tokensOf(text, lineCounter, state), true, text.length)];
  return state.isTooDeep ? undefined : (documents as readonly Document[]);
}

/** Deeper than any document that people or tools write. */
const MAX_DEPTH = 1_000;

function* tokensOf(
  text: string,
  lineCounter: LineCounter,
  state: { isTooDeep: boolean },
): Generator<CST.Token, void> {
  const parser = new Parser(lineCounter.addNewLine);
  lineCounter.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_DEPTH) {
      state.isTooDeep = true;
      return;
    }
  }
  yield* parser.end();
}

const OLD_BOOLEANS: readonly ScalarTag[] = [
  { test: /^(?:y|Y|yes|Yes|YES|on|On|ON)$/, value: true },
  { test: /^(?:n|N|no|No|NO|off|Off|OFF)$/, value: false },
].map(({ test, value }) => ({
  tag: 'tag:yaml.org,2002:bool',
  default: true,
  identify: () => false,
  test,
  resolve: () => value,
}));
