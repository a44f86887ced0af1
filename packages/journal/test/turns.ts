import { generateKeyPairSync } from 'node:crypto';
import {
  type BlockInput,
  composeRequest,
  createRedactor,
  type GatedRequest,
  type Piece,
  type RequestInput,
  ROLES,
} from '@cuebook/prompt';
import fc from 'fast-check';
import { digest } from '../src/turn/digest.js';
import { type PublicKeys, publicKeyOf, type Signer, signerOf } from '../src/turn/key/key.js';

const redactor = createRedactor({ roots: [['@desk', '/srv/desk']], private: [], names: [] });

/** A composed and gated request, as a provider would get it. */
export function requestOf(
  blocks: readonly BlockInput[],
  beside: Pick<RequestInput, 'tools' | 'params'> = {},
): GatedRequest {
  const composed = composeRequest({ blocks, hash: digest, redactor, ...beside });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error));
  return composed.value;
}

/** A run of text with ordinary labels. */
export const piece = (text: string, labels: Partial<Piece> = {}): Piece => ({
  text,
  origin: { kind: 'file', ref: 'prompts/a.md', line: 3, column: 1 },
  trust: 'author',
  secrecy: 'public',
  volatility: 'build',
  ...labels,
});

/** A block of one piece. */
export const block = (name: string, text: string, rest: Partial<BlockInput> = {}): BlockInput => ({
  name,
  role: 'user',
  pieces: [piece(text)],
  ...rest,
});

/** A signer with a key of its own. */
export function freshSigner(): Signer {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const signer = signerOf(pem.toString());
  if (signer === undefined) throw new Error('not a key');
  return signer;
}

const words = fc.constantFrom('alpha ', 'béta ', 'γ ', '𝄞 ', '\n', 'plan the work. ', 'x', '```', '');
const text = fc.array(words, { maxLength: 200 }).map((each) => each.join(''));

const labels = fc.record({
  origin: fc.record(
    {
      kind: fc.constantFrom('file' as const, 'input' as const, 'variable' as const, 'result' as const),
      ref: fc.constantFrom('a.md', 'b.md', 'name'),
      line: fc.nat(50).map((line) => line + 1),
      column: fc.nat(9).map((column) => column + 1),
      via: fc.array(fc.record({ ref: fc.constantFrom('c.md', 'd.md'), line: fc.nat(9) }), { maxLength: 2 }),
    },
    { requiredKeys: ['kind', 'ref'] },
  ),
  trust: fc.constantFrom('platform' as const, 'author' as const, 'operator' as const),
  secrecy: fc.constantFrom('public' as const, 'public' as const, 'confidential' as const),
  volatility: fc.constantFrom('build' as const, 'session' as const, 'turn' as const),
});

const pieces = fc.array(
  fc.tuple(text, labels).map(([said, each]): Piece => ({ text: said, ...each })),
  { maxLength: 5 },
);

const attachments = fc.record(
  {
    calls: fc.array(
      fc.record({ id: fc.string(), name: fc.string(), args: fc.jsonValue() as fc.Arbitrary<never> }),
      { maxLength: 2 },
    ),
    callId: fc.string(),
    media: fc.array(
      fc.record({
        type: fc.constant('image/png'),
        data: fc.oneof(fc.base64String(), fc.constant('not base64!'), fc.constant('YQ')),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

const blockInput = (name: string): fc.Arbitrary<BlockInput> =>
  fc
    .tuple(fc.constantFrom(...ROLES), pieces, attachments)
    .map(([role, parts, beside]) => ({ name, role, pieces: parts, ...beside }) as BlockInput);

/** What happens to a conversation from one turn to the next. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), block: blockInput('new') }),
  fc.record({ kind: fc.constant('grow' as const), at: fc.nat(9), pieces }),
  fc.record({ kind: fc.constant('drop' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('move' as const), at: fc.nat(9) }),
  fc.record({ kind: fc.constant('replace' as const), at: fc.nat(9), block: blockInput('other') }),
  fc.record({ kind: fc.constant('same' as const) }),
);

const beside = fc.record({
  tools: fc.constantFrom([], [{ name: 'read', description: 'Reads', parameters: { type: 'object' } }]),
  params: fc.constantFrom({}, { temperature: 0.5 }, { stop: ['x'] }),
  delta: fc.constantFrom('none' as const, 'last' as const, 'other' as const),
});

/** Turns of one lane, each made from the one before. */
export const conversation: fc.Arbitrary<readonly { request: GatedRequest; delta?: GatedRequest }[]> = fc
  .array(fc.tuple(change, beside), { minLength: 1, maxLength: 8 })
  .map((changes) => {
    let blocks: readonly BlockInput[] = [];
    return changes.map(([each, { tools, params, delta }], turn) => {
      blocks = apply(blocks, each, turn);
      const request = requestOf(blocks, { tools, params });
      if (delta === 'none') return { request };
      const part = delta === 'last' ? blocks.slice(-1) : [block('only in the delta', `turn ${turn}`)];
      return { request, delta: requestOf(part, { tools, params }) };
    });
  });

function apply(
  blocks: readonly BlockInput[],
  each: typeof change extends fc.Arbitrary<infer Change> ? Change : never,
  turn: number,
): readonly BlockInput[] {
  const at = 'at' in each && blocks.length > 0 ? each.at % blocks.length : 0;
  const here = blocks[at];
  if (each.kind === 'add') return [...blocks, { ...each.block, name: `b${turn}` }];
  if (here === undefined || each.kind === 'same') return blocks;
  const rest = blocks.filter((_, index) => index !== at);
  if (each.kind === 'drop') return rest;
  if (each.kind === 'move') return [...rest, here];
  const next =
    each.kind === 'grow'
      ? { ...here, pieces: [...here.pieces, ...each.pieces] }
      : { ...each.block, name: here.name };
  return blocks.with(at, next);
}

/** The value of a result that must be one. */
export function must<Value>(result: { ok: true; value: Value } | { ok: false; error: unknown }): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** The public keys of signers. */
export const keysOf = (...signers: readonly Signer[]): PublicKeys =>
  new Map(
    signers.flatMap(({ fingerprint, publicKey }) => {
      const key = publicKeyOf(publicKey);
      return key === undefined ? [] : [[fingerprint, key] as const];
    }),
  );
