import type { ApiAnswer } from '@cuebook/api';
import { useMutation } from '@tanstack/react-query';
import { lookAgain } from '../wire/queries.js';
import { need } from '../wire/server.js';

/** Does something to a run, then looks at it again. `error` is the no of the server, until the next try. */
export function useAct(run?: string) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (work: () => Promise<ApiAnswer<unknown>>) => {
      await need(work());
      await lookAgain(run);
    },
  });
  return { act: mutate, isPending, error };
}
