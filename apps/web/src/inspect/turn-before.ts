import type { TurnView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { queries, recordedQuery, turnQuery } from '../wire/queries.js';

/** The turn that another is compared with: the one that is named, or the one of the same agent before it; null: there is none. */
export function useTurnBefore(of: {
  readonly run: string;
  readonly turn: TurnView;
  readonly against: string | undefined;
  readonly isWanted: boolean;
}) {
  const { run, turn, against, isWanted } = of;
  return useQuery({
    queryKey: ['turn before', run, turn.turn, against ?? ''],
    enabled: isWanted,
    queryFn: async (): Promise<TurnView | null> => {
      const { turns } = await queries.ensureQueryData(recordedQuery(run));
      const own = turns.filter(({ lane }) => lane === turn.lane).map((each) => each.turn);
      const id = against ?? own[own.indexOf(turn.turn) - 1];
      return id === undefined ? null : await queries.ensureQueryData(turnQuery(run, id, false));
    },
  });
}
