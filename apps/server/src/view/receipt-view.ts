import type { TurnView } from '@cuebook/api';
import { parseReceipt, type RebuiltTurn, type Store } from '@cuebook/journal';

/** Who signed what a turn was told. */
export async function receiptView(
  store: Pick<Store, 'read'>,
  { run, seq }: Pick<RebuiltTurn, 'run' | 'seq'>,
): Promise<TurnView['receipt']> {
  const [event] = await store.read(run, { after: seq - 1, limit: 1 });
  const receipt = event && parseReceipt('turn.recorded', event.data);
  const { key = '', sig = '' } = receipt?.type === 'turn.recorded' ? receipt.data : {};
  return { seq, key, signature: sig, hash: event?.hash ?? '' };
}
