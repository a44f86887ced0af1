import type { Client, WaitView } from '@cuebook/api';
import { useMutation } from '@tanstack/react-query';
import { lookAgain } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { titleOf } from './wait-words.js';

/** A person's answer: words, or a decision about a call. */
export type AnswerGiven = Parameters<Client['answerWait']>[0]['reply'];

/** Answers things that wait. `said` is what was answered last; `error` belongs to one of them. */
export function useAnswer() {
  const { mutate, data, error, variables, isPending } = useMutation({
    mutationFn: async ({ wait, reply }: { readonly wait: WaitView; readonly reply: AnswerGiven }) => {
      await need(server.answerWait({ run: wait.run, wait: wait.id, reply }));
      await lookAgain(wait.run);
      return `${replyWords(reply)}: ${titleOf(wait)}`;
    },
  });
  return {
    answer: (wait: WaitView, reply: AnswerGiven) => mutate({ wait, reply }),
    said: data ?? '',
    error: error && variables ? { key: `${variables.wait.run} ${variables.wait.id}`, error } : undefined,
    isPending,
  };
}

const replyWords = (reply: AnswerGiven): string =>
  'texts' in reply ? 'Answered' : { allow: 'Allowed', deny: 'Denied', change: 'Changed' }[reply.decision];
