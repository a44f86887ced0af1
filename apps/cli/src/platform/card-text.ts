import type { CardRecord } from '@cuebook/platform';
import type { Io } from '../io.js';
import { screenText, styleFor } from '../output/style.js';

/** A card for a person who decides on it: what models will read because of it. */
export function cardText(view: CardRecord, io: Io): string {
  const style = styleFor(io, 'out');
  const shown = (text: string) => screenText(text, io.terminal.out);
  return [
    `${style.bold(view.agent)}  version ${view.cardVersion}  ${statusText(view)}  owner ${shown(view.owner)}`,
    ...(view.reason === undefined ? [] : [`reason: ${shown(view.reason)}`]),
    '',
    style.dim('What others are told about it:'),
    shown(view.promptView),
    '',
    style.dim('What it is told about itself:'),
    shown(view.basePrompt),
    '',
  ].join('\n');
}

/** `approved, published as version 2`. */
export const statusText = ({ status, signed, published, cardVersion }: CardRecord): string => {
  if (status !== 'approved') return status;
  if (!signed) return 'approved, not signed';
  return published?.cardVersion === cardVersion ? `approved, published as ${published.version}` : 'approved';
};
