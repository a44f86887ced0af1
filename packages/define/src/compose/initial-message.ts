import type { ToolEntry } from '../shape/prompt-shape.js';

/** What a sub-prompt or agent is told first, when it is called with arguments. */
export interface InitialMessage {
  readonly text: string;
  /** Paths of files to attach. */
  readonly attachments: readonly string[];
}

/**
 * The first user message of a call: the argument that the configuration names, as it is when it is a string and
 * as JSON otherwise; without such a setting, all arguments as JSON. Undefined when there is nothing to say.
 */
export function initialMessage(
  config: Pick<ToolEntry, 'initUserMessageProperty' | 'initAttachmentsProperty'>,
  args: Readonly<Record<string, unknown>>,
): InitialMessage | undefined {
  const { initUserMessageProperty: message, initAttachmentsProperty: files } = config;
  const own = (name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined);
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => name !== files));
  const said = message === undefined ? (Object.keys(rest).length === 0 ? undefined : rest) : own(message);
  const paths = files === undefined ? undefined : own(files);
  const attachments = (Array.isArray(paths) ? paths : [paths]).filter((path) => typeof path === 'string');
  if (said === undefined && attachments.length === 0) return undefined;
  return {
    text: said === undefined ? '' : typeof said === 'string' ? said : JSON.stringify(said),
    attachments,
  };
}
