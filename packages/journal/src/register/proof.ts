import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { NewEvent, StoredEvent } from '../contract.js';
import { asJson } from '../json.js';
import { canonical, toJson } from '../turn/canonical.js';
import type { RegisterProof } from './key-proof.js';

/** An event with its proof: of its register, of its place in it, and of what it says. */
export function withProof(
  proof: RegisterProof,
  name: string,
  seq: number,
  { type, data }: NewEvent,
): NewEvent {
  const fields = Object(toJson(data)) as Record<string, JsonValue>;
  return { type, data: { ...fields, proof: proofFor(proof, name, { seq, type, data: fields }) } };
}

/** The proof of an event. */
export const proofFor = (
  proof: RegisterProof,
  name: string,
  { seq, type, data }: Pick<StoredEvent, 'seq' | 'type' | 'data'>,
): string => proof.of(textOf({ name, seq, type, data: Object(toJson(data)) }));

/** The event without its proof; undefined: whoever wrote it did not have the key. */
export function proved(
  proof: RegisterProof,
  name: string,
  event: Pick<StoredEvent, 'seq' | 'type' | 'data'>,
): { readonly data: JsonValue } | undefined {
  const { proof: inside, ...data } = Object(event.data) as Record<string, JsonValue>;
  const { seq, type } = event;
  const given = inside === undefined ? proof.beside?.(name, seq) : inside;
  const isRight = typeof given === 'string' && proof.isOf(textOf({ name, seq, type, data }), given);
  return guard('register.proof', !isRight) ? undefined : { data };
}

/** What reads and writes the events of a register, with their proofs where machines share a database. */
export interface RegisterWriter {
  /** The event without its proof; undefined: it does not count, since whoever wrote it did not have the key. */
  ownOf(event: StoredEvent): StoredEvent | undefined;
  /** Events with their proofs, for the places behind a seq. */
  sealed(seq: number, events: readonly NewEvent[]): readonly NewEvent[];
}

export const registerWriter = (proof: RegisterProof | undefined, name: string): RegisterWriter => ({
  ownOf(event) {
    const own = proof === undefined ? event : proved(proof, name, event);
    return own && { ...event, ...own };
  },
  sealed: (seq, events) =>
    proof === undefined ? events : events.map((each, at) => withProof(proof, name, seq + at + 1, each)),
});

const textOf = (event: {
  readonly name: string;
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, JsonValue>>;
}): string => `cuebook register 1\n${canonical(asJson(event))}`;
