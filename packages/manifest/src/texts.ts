import type { SourceText } from '@cuebook/profile';
import { literalSyntax } from './check.js';
import { parseMessage } from './execute.js';
import type { Texts } from './manifests.js';
import { readMessage } from './message.js';
import type { AgentObject, Fragment } from './object.js';
import { isTemplate } from './resolve.js';
import { resolveSources } from './source.js';
import { findUses } from './template-uses.js';

/** Every text that an Agent may be told: its message, and whatever a branch of its template includes. */
export function textsOfAgent({
  agent,
  texts,
}: {
  readonly agent: AgentObject;
  readonly texts: Texts;
}): readonly SourceText[] {
  const raw = readMessage(agent, texts);
  if (!raw.ok) return [];
  const message = raw.value;
  if (!isTemplate(agent)) {
    // Braces that are meant for us have a warning of their own.
    const mayHoldPlaceholders = literalSyntax(message).length > 0;
    return [{ pieces: message.pieces(), mayHoldPlaceholders, fix: LITERAL_FIX }];
  }
  const parsed = parseMessage(message);
  const own: SourceText = { pieces: message.pieces(), mayHoldPlaceholders: true };
  if (!parsed.ok) return [own];
  const { fragments } = resolveSources(agent, texts);
  const { includes, hasComputedInclude } = findUses(parsed.template);
  const paths = hasComputedInclude ? fragments.keys() : includes.map(({ path }) => path);
  const included = [...new Set(paths)].flatMap((path) => fragments.get(path) ?? []);
  return [own, ...included.map(fragmentText)];
}

const fragmentText = (fragment: Fragment): SourceText => ({ pieces: fragment.pieces(), fix: FRAGMENT_FIX });

const LITERAL_FIX =
  'Set promptTemplate and write {{.AgentName}} or {{include "alias/key"}}, or write it as `code`';
const FRAGMENT_FIX =
  'An included text is plain: put variables into the template of the Agent, or write it as `code`';
