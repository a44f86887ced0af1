import type { Piece } from '@cuebook/prompt';
import type { PackageAgent } from '../package/package.js';
import { PACKAGED, packaged, shipped } from './labels.js';

/** The third layer: the agent's own system prompt, or one made from its persona. */
export function personaPieces({ agent, yaml }: PackageAgent): readonly Piece[] {
  if (agent.systemPrompt !== undefined && agent.systemPrompt.trim() !== '') {
    return yaml.pieces(['systemPrompt'], PACKAGED);
  }
  const { principles } = agent.persona;
  const text = (words: string): Piece => shipped('workflow persona', words);
  const value = (...path: readonly PropertyKey[]): readonly Piece[] => yaml.pieces(path, PACKAGED);
  return [
    text('You are '),
    packaged(yaml, ['metadata', 'name'], agent.metadata.name),
    text(' ('),
    packaged(yaml, ['metadata', 'title'], agent.metadata.title),
    text(').\nRole: '),
    ...value('persona', 'role'),
    text('\nIdentity: '),
    ...value('persona', 'identity'),
    text('\nCommunication style: '),
    ...value('persona', 'communication_style'),
    text('\nPrinciples:'),
    ...(typeof principles === 'string'
      ? [text('\n- '), ...value('persona', 'principles')]
      : principles.flatMap((_, at) => [text('\n- '), ...value('persona', 'principles', at)])),
    text('\nStay in character unless the user dismisses the agent.'),
  ];
}
