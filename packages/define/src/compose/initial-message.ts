import type { ToolEntry } from '../shape/prompt-shape.js';

/** What a sub-prompt or agent is told first, when it is called with arguments. */
export interface InitialMessage {
  readonly text: string;
  /** The arguments that `text` does not hold, as a message of their own. */
  readonly args?: string;
  /** Paths of files to attach. */
  readonly attachments: readonly string[];
}

type Args = Readonly<Record<string, unknown>>;
type Config = Pick<ToolEntry, 'initUserMessageProperty' | 'initAttachmentsProperty'>;

/**
 * The first words of a call. The argument that the configuration names is the first message: a string as it is, any
 * other value as JSON. All other arguments follow as one line of JSON, in the order of the schema. Without a named
 * argument the JSON of all of them is the first message. Undefined when there is nothing to say.
 */
export function initialMessage(config: Config, args: Args): InitialMessage | undefined {
  const { initUserMessageProperty: message, initAttachmentsProperty: files } = config;
  const said = message === undefined ? '' : valueText(own(args, message));
  const left = Object.entries(args).filter(
    ([name, value]) => value !== undefined && name !== files && (said === '' || name !== message),
  );
  const rest = left.length === 0 ? '' : JSON.stringify(Object.fromEntries(left));
  const attachments = filesOf(config, args);
  if (said === '' && rest === '' && attachments.length === 0) return undefined;
  if (said === '') return { text: rest, attachments };
  return { text: said, ...(rest === '' ? {} : { args: argumentsText(rest) }), attachments };
}

/** How arguments are told behind the message that they go with. */
export const argumentsText = (json: string): string => `Arguments: ${json}`;

/** Why the files that a call names cannot be attached; undefined where they can. */
export function filesProblem({ initAttachmentsProperty: files }: Config, args: Args): string | undefined {
  const value = files === undefined ? undefined : own(args, files);
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return list.every((path) => typeof path === 'string')
    ? undefined
    : `${files}: a path or a list of paths is needed, because it names the files to attach`;
}

function filesOf({ initAttachmentsProperty: files }: Config, args: Args): readonly string[] {
  const value = files === undefined ? undefined : own(args, files);
  return (Array.isArray(value) ? value : [value]).filter((path) => typeof path === 'string');
}

const own = (args: Args, name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined);

const valueText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
