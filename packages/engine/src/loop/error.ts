import { describeJournalError } from '@cuebook/journal';

/** Why a command was not done. */
export type EngineError =
  /** The machine said no, with its own code. Nothing was written. */
  | { readonly type: 'refused'; readonly code: string; readonly message: string }
  | { readonly type: 'command'; readonly why: 'id' | 'reserved' }
  | { readonly type: 'conflict' }
  | { readonly type: 'busy' }
  | { readonly type: 'decision'; readonly why: 'forged' | 'twice' }
  | { readonly type: 'journal'; readonly code: string }
  | { readonly type: 'fenced' }
  | { readonly type: 'stopped' }
  /** A newer version has written something into the run that this one does not know. */
  | { readonly type: 'newer'; readonly what: string }
  | { readonly type: 'closed' }
  | { readonly type: 'not-asked' };

/** The code and the sentence of an error, for people and agents. */
export function describeEngineError(error: EngineError): { readonly code: string; readonly message: string } {
  switch (error.type) {
    case 'refused':
      return { code: error.code, message: error.message };
    case 'command':
      return { code: 'E_COMMAND_INVALID', message: COMMAND[error.why] };
    case 'conflict':
      return {
        code: 'E_COMMAND_CONFLICT',
        message: 'A command with this id was done before and said something else. Use a new id.',
      };
    case 'busy':
      return {
        code: 'E_RUN_BUSY',
        message: 'The run is being written to by others. Give the command again.',
      };
    case 'decision':
      return { code: 'E_DECISION', message: DECISION[error.why] };
    case 'journal':
      return {
        code: 'E_JOURNAL',
        message: `The journal failed (${error.code}). Give the command again with the same id.`,
      };
    case 'fenced':
      return { code: 'E_JOURNAL', message: 'Another process has taken over the work; nothing was written.' };
    case 'stopped':
      return { code: 'E_ENGINE_STOPPED', message: 'The engine has stopped and takes no more commands.' };
    case 'newer': {
      const said = { code: 'E_JOURNAL_NEWER', what: error.what, place: 'the run' } as const;
      return { code: said.code, message: describeJournalError(said) };
    }
    case 'closed':
      return { code: 'E_EFFECT_CLOSED', message: 'The run has no open effect with this id.' };
    case 'not-asked':
      return { code: 'E_EFFECT_NOT_ASKED', message: 'The effect waits for its driver, not for a person.' };
  }
}

const COMMAND = {
  id: 'The id of the command must have 1 to 200 characters.',
  reserved: 'The type of the command is one that only the engine itself gives.',
} as const;

const DECISION = {
  forged: 'The machine wrote an event that only the engine writes.',
  twice: 'The machine intended an effect under the id of one that is open.',
} as const;
