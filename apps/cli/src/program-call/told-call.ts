import { guard } from '@cuebook/guard';
import { Failure } from '../failure.js';
import { type Away, eachText } from '../redact/told-json.js';
import { credentialsAway } from '../redact/typed-credentials.js';

/**
 * The one way of a call to the program that made it, as `screened` is that of a command: what it answers and what it throws
 * may repeat names and words of files, and programs keep logs. No credential goes out.
 */
export async function toldCall<Answer>(call: (away: Away) => Promise<Answer>): Promise<Answer> {
  const away = await credentialsAway();
  try {
    return await call(away);
  } catch (error) {
    throw guard('call.told', error instanceof Error) ? toldError(error as Error, away) : error;
  }
}

function toldError(error: Error, away: Away): Error {
  if (error instanceof Failure) {
    const { code, message, exit, diagnostics } = error;
    return new Failure(code, away(message), { exit, diagnostics: eachText(diagnostics, away) });
  }
  const { message, stack } = error;
  Object.defineProperty(error, 'message', { value: away(message), configurable: true, writable: true });
  if (stack !== undefined)
    Object.defineProperty(error, 'stack', { value: away(stack), configurable: true, writable: true });
  return error;
}
