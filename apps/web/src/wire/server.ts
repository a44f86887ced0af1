import { type ApiAnswer, type ApiError, createClient } from '@cuebook/api';
import { noteConnection } from './connection.js';
import { takeToken } from './token.js';

/** The token of this tab; null: the page was opened without its link. */
export const token = takeToken();

/** The server that this page came from. */
export const server = createClient({ url: '', ...(token !== null && { token }) });

/** A no of the server, or that nobody answered. */
export class RefusedRequest extends Error {
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.name = 'Refused';
    this.error = error;
  }
}

/** The value of an answer; rejects with `Refused` when it is a no. Every answer tells how the connection is. */
export async function need<Value>(asking: Promise<ApiAnswer<Value>>): Promise<Value> {
  const answer = await asking;
  if (answer.ok) {
    noteConnection('live');
    return answer.value;
  }
  noteConnection(answer.error.status === 0 ? 'lost' : answer.error.status === 401 ? 'refused' : 'live');
  throw new RefusedRequest(answer.error);
}

/** Whether the same request may be answered later, with nobody changing anything: nobody answered, or not at this time. */
export const mayPass = (error: unknown): boolean =>
  error instanceof RefusedRequest && PASSING.test(`${error.error.status}`);

const PASSING = /^(0|408|429|5\d\d)$/;
