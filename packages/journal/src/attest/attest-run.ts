import { fail, ok, type Result } from '@cuebook/prompt';
import type { RunId, Store } from '../contract.js';
import { asJson } from '../json.js';
import type { ReceiptError } from '../turn/error.js';
import { eventsOf, turnOf } from '../turn/find.js';
import type { Signer } from '../turn/key/key.js';
import { type RebuiltTurn, rebuildTurn } from '../turn/rebuild.js';
import { type SignedEnvelope, sealStatement } from './envelope.js';
import { type AttestedSource, runStatement, type Statement, turnStatement } from './statement.js';

export interface AttestOptions {
  readonly signer: Signer;
  /** The files that a turn was told from, by reference, as they were then; those that nobody can show are left out. */
  readonly filesOf?: (turn: RebuiltTurn) => Promise<ReadonlyMap<string, AttestedSource>>;
}

/**
 * A run as standard attestations: one envelope for each turn, in order, and one for the run that names them all. Whoever
 * has the public key can check them with any library of the format. A turn whose record is damaged is an error: nothing
 * is attested that cannot be shown.
 */
export async function attestRun(
  store: Store,
  run: RunId,
  { signer, filesOf = async () => new Map() }: AttestOptions,
): Promise<Result<readonly SignedEnvelope[], ReceiptError>> {
  const turns: { turn: string; statement: Statement }[] = [];
  let [head, events] = ['', 0];
  for await (const event of eventsOf(store, run)) {
    events = event.seq;
    head = event.hash;
    const turn = event.type === 'turn.recorded' ? turnOf(event) : undefined;
    if (turn === undefined) continue;
    const rebuilt = await rebuildTurn(store, run, turn);
    if (!rebuilt.ok) return fail(rebuilt.error);
    turns.push({
      turn,
      statement: turnStatement(rebuilt.value, { receipt: event.hash, files: await filesOf(rebuilt.value) }),
    });
  }
  const whole = runStatement({ run, head, events, turns });
  return ok(
    [...turns.map(({ statement }) => statement), whole].map((each) => sealStatement(asJson(each), signer)),
  );
}
