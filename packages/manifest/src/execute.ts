import { guard } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import {
  nilSlice,
  parseTemplate,
  signed,
  slice,
  struct,
  type Tagged,
  type Template,
  type TemplateError,
  tagged,
} from '@cuebook/template';
import { type ContextText, fieldPlace, LIST_FIELDS, TEXT_FIELDS, type TemplateContext } from './context.js';
import { notIncluded } from './include.js';
import { mapMessage } from './message-map.js';
import type { AgentObject, Fragment } from './object.js';
import { piecesOf, type Tag } from './pieces.js';
import { findReasons } from './reasons.js';
import type { Resolved } from './resolved.js';
import { findSecretFlow } from './secret-flow.js';
import { type Lookup, TEMPLATE_PATH } from './source.js';

/** A template with all it may print. */
export interface Execution extends Pick<Lookup, 'fragments' | 'entries'> {
  readonly message: Fragment;
  readonly context: TemplateContext;
  readonly agent: AgentObject;
}

/** The name that error texts give to the template. */
const TEMPLATE_NAME = 'systemMessage';

/** The name that error texts give to the type of the variables. */
const CONTEXT_TYPE = 'agent.PromptTemplateContext';

/** A prompt has to fit into an object of the cluster, and the largest is 1 MiB. */
const LIMITS = { outputBytes: 1024 * 1024, steps: 1_000_000 };

/** A template that parses, or the diagnostic at the place of its error. */
export type ParsedMessage =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** Parses a system message as a Go template; what it may include is asked for when it is executed. */
export function parseMessage(message: Fragment): ParsedMessage {
  const parsed = parseTemplate({
    name: TEMPLATE_NAME,
    text: message.text,
    functions: { include: signed(['string'], () => '') },
  });
  if (parsed.ok) return { ok: true, template: parsed.value };
  const isHidden = guard('secret.error', message.secrecy !== 'public');
  const words = isHidden ? withheld(parsed.error) : parsed.error.message;
  return refuse(message, parsed.error, `failed to parse system message template: ${words}`);
}

/** Executes a system message as a Go template. Included text is plain: it is never parsed again. */
export function executeMessage({ message, fragments, entries, context, agent }: Execution): Resolved {
  const parsed = parseMessage(message);
  if (!parsed.ok) return parsed;
  let usesSecret = message.secrecy !== 'public';
  const include = signed(['string'], (path: string) => {
    const fragment = fragments.get(path);
    if (fragment === undefined) throw new Error(notIncluded(path, fragments.keys()));
    if (fragment.secrecy !== 'public') usesSecret = true;
    const tag: Tag = { pieces: fragment.pieces, entry: entries.get(path) };
    return tagged(fragment.text, tag);
  });
  const rendered = parsed.template.render(dataOf(context), { functions: { include }, limits: LIMITS });
  if (rendered.ok) {
    const isSecretAt = usesSecret ? secretActions(parsed.template, message, fragments) : () => false;
    const reasonsAt = findReasons({
      template: parsed.template,
      place: mapMessage(message).place,
      fieldPlace: (field) => fieldPlace(agent, field),
    });
    const templateAt = agent.yaml.place(TEMPLATE_PATH);
    const pieces = piecesOf(rendered.value, { message, isSecretAt, reasonsAt, templateAt });
    return { ok: true, text: pieces.map(({ text }) => text).join(''), pieces };
  }
  const words = guard('secret.error', usesSecret) ? withheld(rendered.error) : rendered.error.message;
  return refuse(message, rendered.error, `failed to execute system message template: ${words}`);
}

/** Which actions may print text of a Secret: all of them when the template itself is such text. */
function secretActions(
  template: Template,
  message: Fragment,
  fragments: Execution['fragments'],
): (from: number) => boolean {
  if (message.secrecy !== 'public') return () => true;
  return findSecretFlow(template, (path) => fragments.get(path)?.secrecy !== 'public');
}

/** The context as Go sees it: a struct, whose lists are nil when they are empty. */
function dataOf(context: TemplateContext) {
  const text = (own: ContextText): Tagged => tagged(own.text, own satisfies Tag);
  const list = (texts: readonly ContextText[]) =>
    texts.length === 0 ? nilSlice('string') : slice('string', texts.map(text));
  return struct(
    CONTEXT_TYPE,
    Object.fromEntries([
      ...TEXT_FIELDS.map((name) => [name, text(context[name])] as const),
      ...LIST_FIELDS.map((name) => [name, list(context[name])] as const),
    ]),
  );
}

/** An error text may quote what a function was given or the template itself: with a Secret in use it says only where. */
const withheld = ({ line, column }: TemplateError): string =>
  `template: ${TEMPLATE_NAME}:${line}:${column}: the words of this error are withheld, because they could quote a Secret`;

function refuse(
  message: Fragment,
  error: TemplateError,
  words: string,
): { ok: false; diagnostic: Diagnostic } {
  const { ref, line, column } = mapMessage(message).place(error.offset);
  const diagnostic: Diagnostic = {
    code: error.code,
    severity: 'error',
    message: words,
    file: ref,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
  return { ok: false, diagnostic };
}
