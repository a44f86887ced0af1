import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest, type Place } from '@cuebook/prompt';
import { diagnosticAt } from '@cuebook/yaml';
import { parseMessage } from './execute.js';
import { findMistypedKeys } from './keys.js';
import type { Texts } from './manifests.js';
import { readMessage } from './message.js';
import { type MessageMap, mapMessage } from './message-map.js';
import type { AgentObject, Fragment } from './object.js';
import { isTemplate } from './resolve.js';
import { type Lookup, type ResolvedSource, resolveSources, SOURCES_PATH, sourcesOf } from './source.js';
import { describeField, findUses, type TemplateUses } from './template-uses.js';

/**
 * Everything that is wrong with an Agent, at once, without executing its template: an include or a variable
 * that is not there is found in every branch.
 */
export function checkAgent(agent: AgentObject, texts: Texts): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [...findMistypedKeys(agent)];
  const raw = readMessage(agent, texts);
  if (!raw.ok && !isLeftOut(agent)) diagnostics.push(raw.diagnostic);
  if (!isTemplate(agent)) {
    if (raw.ok) diagnostics.push(...literalSyntax(raw.value));
    return diagnostics;
  }
  const lookup = resolveSources(agent, texts);
  diagnostics.push(...lookup.diagnostics, ...misleadingAliases(agent, lookup));
  if (raw.ok) diagnostics.push(...checkTemplate(agent, raw.value, lookup));
  return diagnostics;
}

/** Whether a system message is there that does not fit, which has been told of. */
function isLeftOut({ isPartial, spec, yaml }: AgentObject): boolean {
  if (isPartial !== true) return false;
  const { spec: written } = (yaml.value ?? {}) as { readonly spec?: { readonly declarative?: object } };
  const has = (key: string): boolean => Object.hasOwn(Object(written?.declarative), key);
  const keys = ['systemMessage', 'systemMessageFrom'] as const;
  return (
    spec.declarative === undefined || keys.some((key) => has(key) && spec.declarative?.[key] === undefined)
  );
}

function checkTemplate(agent: AgentObject, message: Fragment, lookup: Lookup): readonly Diagnostic[] {
  const parsed = parseMessage(message);
  if (!parsed.ok) return [parsed.diagnostic];
  const uses = findUses(parsed.template);
  const map = mapMessage(message);
  return [
    ...wrongIncludes(agent, message, uses, lookup, map),
    ...wrongFields(message, uses, map),
    ...unusedSources(agent, uses, lookup),
  ];
}

function wrongIncludes(
  agent: AgentObject,
  message: Fragment,
  uses: TemplateUses,
  lookup: Lookup,
  map: MessageMap,
): readonly Diagnostic[] {
  const found = new Set(lookup.sources.map(({ index }) => index));
  const sources = sourcesOf(agent);
  // What a source that is not there would have given, nobody knows.
  const unknown = sources
    .filter((_, index) => !found.has(index))
    .map(({ alias, name }) => (alias || name ? `${alias || name}/` : ''));
  // Nor what one would that does not fit at all.
  if (sources.filter(() => true).length < sources.length) unknown.push('');
  return uses.includes
    .filter(({ path }) => guard('check.include', !lookup.fragments.has(path)))
    .filter(({ path }) => !unknown.some((prefix) => path.startsWith(prefix)))
    .map(({ path, offset }) => {
      const words = `No source gives "${path}". ${includeHint(path, lookup)}`;
      return problemAt(
        map.place(offset),
        'E_INCLUDE_PATH',
        shown(message, words, 'An include is of a path that no source gives'),
      );
    });
}

function includeHint(path: string, { sources, fragments }: Lookup): string {
  const cut = path.lastIndexOf('/');
  const [identifier, key] = [path.slice(0, cut), path.slice(cut + 1)];
  const byName = sources.find(
    ({ source, object }) => source.name === identifier && object.fragments.has(key),
  );
  if (byName !== undefined) {
    return `The source ${identifier} goes by its alias: did you mean "${byName.identifier}/${key}"?`;
  }
  const hidden = sources.find((each) => each.identifier === identifier)?.object.hidden.get(key);
  if (hidden !== undefined) return `The key is there, but ${hidden}`;
  const names = [...fragments.keys()].sort().slice(0, MAX_CANDIDATES);
  const near = nearest(path, names);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (names.length === 0) return 'There is nothing to include';
  const rest = fragments.size - MAX_LISTED;
  return `There are ${names.slice(0, MAX_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const MAX_CANDIDATES = 500;
const MAX_LISTED = 10;

const wrongFields = (message: Fragment, { fields }: TemplateUses, map: MessageMap): readonly Diagnostic[] =>
  fields
    .filter(({ isKnown }) => guard('check.field', !isKnown))
    .map((field) =>
      problemAt(
        map.place(field.offset),
        'E_TEMPLATE_FIELD',
        shown(message, describeField(field), 'A variable is read that is not there'),
      ),
    );

function unusedSources(agent: AgentObject, uses: TemplateUses, { sources }: Lookup): readonly Diagnostic[] {
  if (uses.hasComputedInclude) return [];
  const included = new Set(uses.includes.map(({ path }) => path));
  const isUsed = ({ identifier, object }: ResolvedSource): boolean =>
    [...object.fragments.keys()].some((key) => included.has(`${identifier}/${key}`));
  return sources
    .filter((source) => !isUsed(source))
    .map(({ index, identifier, object }) => {
      const why = object.fragments.size === 0 ? 'has no text to include' : 'is included nowhere';
      const message = `The source "${identifier}" (${object.kind} ${object.name}) ${why}`;
      return diagnosticAt(agent.yaml, [...SOURCES_PATH, index], {
        code: 'W_SOURCE_UNUSED',
        severity: 'warning',
        message,
      });
    });
}

/** Sources that share a name, and aliases that are easily mistaken for something else. */
function misleadingAliases(agent: AgentObject, { sources }: Lookup): readonly Diagnostic[] {
  const first = new Map<string, ResolvedSource>();
  return sources.flatMap((each): Diagnostic[] => {
    const { index, identifier, source } = each;
    const before = first.get(identifier);
    if (before === undefined) first.set(identifier, each);
    const report = (message: string): Diagnostic =>
      diagnosticAt(agent.yaml, [...SOURCES_PATH, index, source.alias ? 'alias' : 'name'], {
        code: 'W_SOURCE_ALIAS',
        severity: 'warning',
        message,
      });
    if (before !== undefined) {
      return [report(`Two sources go by "${identifier}": ${before.object.name} and ${source.name}`)];
    }
    if (!source.alias || /^[\p{L}\p{N}._-]+$/u.test(source.alias)) return [];
    return [
      report(`The alias ${JSON.stringify(source.alias)} holds a slash, a space or a sign: write it as it is`),
    ];
  });
}

/** Braces that the author most likely meant to be executed. */
export function literalSyntax(message: Fragment): readonly Diagnostic[] {
  const found =
    /\{\{-?\s*(?:include\s*"|\.(?:AgentName|AgentNamespace|Description|ToolNames|SkillNames)\b)/.exec(
      message.text,
    );
  if (found === null) return [];
  const offset = new TextEncoder().encode(message.text.slice(0, found.index)).length;
  const words = 'This looks like a template, but without promptTemplate it is told to the model as it stands';
  return [problemAt(mapMessage(message).place(offset), 'W_TEMPLATE_LITERAL', words, 'warning')];
}

/** The words of a template that is itself confidential are not quoted. */
const shown = (message: Fragment, words: string, without: string): string =>
  message.secrecy === 'public' ? words : without;

const problemAt = (
  { ref, line, column }: Place,
  code: string,
  message: string,
  severity: Diagnostic['severity'] = 'error',
): Diagnostic => ({
  code,
  severity,
  message,
  file: ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});
