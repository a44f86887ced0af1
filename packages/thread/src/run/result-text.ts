import type { Frame, SessionOutcome } from './frame.js';
import type { Message } from './message.js';

/**
 * What the caller of a sub-prompt reads, as one text. Its parts, with a blank line between them, each left out
 * when there is nothing to say or the configuration does not want it:
 *
 *     the words of its last answer
 *
 *     Tool calls:
 *     - name({"argument":1})
 *       result: what came out
 *     - other({})
 *       error: what went wrong
 *
 *     Errors:
 *     - other({})
 *       error: what went wrong, where calls are left out
 *     - the prompt itself
 *       error: E_CODE why it failed
 *
 * Further lines of a result stand two blanks in. With nothing left it is `Done.`, or for a failure `Failed.`
 */
export function subpromptText(
  { config, messages, answer }: Frame,
  { status, text, code }: SessionOutcome,
): { readonly text: string; readonly isError: boolean } {
  const said =
    answer?.text ||
    (messages.findLast(({ role, text: words }) => role === 'assistant' && words !== '')?.text ?? '');
  const calls = messages.flatMap(({ calls: made = [] }) => made);
  const results = new Map(
    messages.flatMap((each) => (each.callId === undefined ? [] : [[each.callId, each]])),
  );
  const parts: string[] = [];
  if (config.text && said !== '') parts.push(said);
  if (config.calls && calls.length > 0)
    parts.push(
      [
        'Tool calls:',
        ...calls.flatMap(({ id, name, args }) => [
          `- ${name}(${JSON.stringify(args)})`,
          ...resultLine(results.get(id), config.errors),
        ]),
      ].join('\n'),
    );
  const failed = config.calls ? [] : calls.filter(({ id }) => results.get(id)?.isError === true);
  const errors = [
    ...failed.flatMap(({ id, name, args }) => [
      `- ${name}(${JSON.stringify(args)})`,
      ...resultLine(results.get(id), true),
    ]),
    ...(status === 'done'
      ? []
      : ['- the prompt itself', `  error: ${code ?? 'E_SUBPROMPT'} ${indent(text)}`]),
  ];
  if (config.errors && errors.length > 0) parts.push(['Errors:', ...errors].join('\n'));
  const isError = status !== 'done';
  return { text: parts.length > 0 ? parts.join('\n\n') : isError ? 'Failed.' : 'Done.', isError };
}

function resultLine(result: Message | undefined, errors: boolean): readonly string[] {
  if (result === undefined) return ['  result: none'];
  if (!result.isError) return [`  result: ${indent(result.text)}`];
  return errors ? [`  error: ${indent(result.text)}`] : ['  failed'];
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ');
