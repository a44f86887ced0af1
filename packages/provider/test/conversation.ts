import { createHash } from 'node:crypto';
import {
  type BlockInput,
  composeRequest,
  type GatedRequest,
  type Labels,
  type Redactor,
  type RequestInput,
  type Role,
} from '@cuebook/prompt';
import { redactor as usual } from './play.js';

const LABELS: Readonly<Record<Role, Labels>> = {
  system: { trust: 'author', secrecy: 'public', volatility: 'deploy' },
  user: { trust: 'user', secrecy: 'public', volatility: 'turn' },
  assistant: { trust: 'agent', secrecy: 'public', volatility: 'turn' },
  tool: { trust: 'tool', secrecy: 'public', volatility: 'turn' },
};

/** A block with the labels that text of its role usually has. */
export function said(
  role: Role,
  text: string,
  more: Partial<BlockInput> & { readonly labels?: Partial<Labels> } = {},
): Omit<BlockInput, 'name'> {
  const { labels, ...rest } = more;
  const piece = { text, origin: { kind: 'input', ref: 'test' } as const, ...LABELS[role], ...labels };
  return { role, pieces: text === '' ? [] : [piece], ...rest };
}

/** A request of several blocks. */
export function conversation(
  blocks: readonly Omit<BlockInput, 'name'>[],
  more: Pick<RequestInput, 'tools' | 'params'> & { readonly redactor?: Redactor } = {},
): GatedRequest {
  const composed = composeRequest({
    redactor: usual,
    ...more,
    blocks: blocks.map((block, index) => ({ ...block, name: `${block.role} ${index}` })),
    hash: (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`,
  });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return composed.value;
}
