import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { NewEvent, Store, StoredEvent } from '../contract.js';
import type { ProjectKey } from '../owner/project-key.js';
import { canonical, toJson } from '../turn/canonical.js';
import { type RegisterProof, registerProof } from './key-proof.js';
import { REGISTERS, type RegisterName, registerRun } from './register-run.js';

/** An event with its proof: of its register, of its place in it, and of what it says. */
export function withProof(
  proof: RegisterProof,
  name: RegisterName,
  seq: number,
  { type, data }: NewEvent,
): NewEvent {
  const fields = Object(toJson(data)) as Record<string, JsonValue>;
  return { type, data: { ...fields, proof: proof.of(textOf({ name, seq, type, data: fields })) } };
}

/** The event without its proof; undefined: whoever wrote it did not have the key. */
export function proved(
  proof: RegisterProof,
  name: RegisterName,
  event: Pick<StoredEvent, 'seq' | 'type' | 'data'>,
): { readonly data: JsonValue } | undefined {
  const { proof: given, ...data } = Object(event.data) as Record<string, JsonValue>;
  const { seq, type } = event;
  const isRight = typeof given === 'string' && proof.isOf(textOf({ name, seq, type, data }), given);
  return guard('register.proof', !isRight) ? undefined : { data };
}

/** What stands in the registers of a project and was not written with its key. */
export async function registerProblems(
  store: Pick<Store, 'read'>,
  key: ProjectKey,
): Promise<readonly string[]> {
  const proof = registerProof(key);
  const problems: string[] = [];
  for (const name of REGISTERS) {
    const run = registerRun(name);
    for (let seq = 0; ; ) {
      const events = await store.read(run, { after: seq });
      for (const event of events)
        if (proved(proof, name, event) === undefined)
          problems.push(
            `event ${event.seq} of the register of ${name} was written without the key of the project`,
          );
      if (events.length === 0 || problems.length >= MAX_TOLD) break;
      seq = events.at(-1)?.seq ?? seq;
    }
  }
  return problems;
}

const MAX_TOLD = 100;

const textOf = (event: {
  readonly name: string;
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, JsonValue>>;
}): string => `cuebook register 1\n${canonical(event as unknown as JsonValue)}`;
