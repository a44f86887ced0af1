import { readShipped } from '@cuebook/files';
import { advancePlace, type Place } from '@cuebook/prompt';

/**
 * The line of `texts/grammar.md` that holds a rule: of the rule itself (`fence`), of the last key of a path
 * (`anthropic messages[].role`), or else of the format.
 */
export function grammarPlace(rule: string): Place | undefined {
  rules ??= readRules();
  const [format = '', path = ''] = rule.split(' ', 2);
  const key = /([^.[\]]+)(?:\[\])*$/.exec(path)?.[1] ?? '';
  return rules.get(rule) ?? rules.get(key) ?? rules.get(format);
}

let rules: ReadonlyMap<string, Place> | undefined;

function readRules(): ReadonlyMap<string, Place> {
  const text = readShipped(new URL('../../texts/grammar.md', import.meta.url));
  const top: Place = { ref: 'cuebook:provider/grammar.md', line: 1, column: 1 };
  return new Map(
    [...text.matchAll(/^- `([^`]+)`:/gm)].map(({ 1: rule = '', index }) => [
      rule,
      advancePlace(top, text.slice(0, index)),
    ]),
  );
}
