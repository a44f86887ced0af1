import { askedParts, type WaitView } from '@cuebook/api';

/** What waits, in one line. */
export function titleOf(wait: WaitView): string {
  const who = wait.name ?? wait.target ?? wait.kind;
  switch (wait.for) {
    case 'approval':
      return `${who} asks to ${actOf(wait)}`;
    case 'question':
      return `${who} asks a question`;
    case 'outcome':
      return wait.tool === '' ? `${who}: was this done?` : `${who}: was ${wait.tool} done?`;
    case 'input':
      return `${who} waits for your message`;
    case 'loop':
      return `${who} makes no progress`;
    case 'budget':
      return `${who} has used up its budget`;
    case 'hold':
      return `${who} is held`;
    case 'failed':
      return `${who} failed`;
    case 'left':
      return `${who} was left in the middle of its work`;
    case 'folder':
      return `${who} waits for its folder`;
  }
}

function actOf({ tool, input, changes }: WaitView): string {
  const files = changes?.map(({ file }) => file) ?? [];
  if (files.length > 0) return `edit ${files.join(', ')}`;
  const { file, command } = askedParts({ input });
  if (command !== undefined) return 'run a command';
  return file === undefined ? `use ${tool}` : `${tool} ${file}`;
}

/** The fields of a value that has some. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
