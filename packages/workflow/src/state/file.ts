import { createHash } from 'node:crypto';
import { type Files, withLock } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { Workflow } from '../package/package.js';
import type { Confirmations } from './confirmation.js';
import { readState, STATE_PATH, type StateDocument } from './document.js';
import type { StateError } from './error.js';
import { applyPatch, replaceState } from './patch.js';
import { isComplete } from './rules.js';
import type { StatePatch } from './schema.js';
import { checkDone, type StepFacts } from './step-facts.js';

/** The state file of a run. All changes of it go through here; nothing rejects. */
export interface StateFile {
  read(): Promise<Result<StoredState, StateError>>;
  patch(patch: StatePatch): Promise<Result<StateWritten, StateError>>;
  /** Replaces the whole file, by the same rules. */
  write(text: string, ifMatchSha256?: string): Promise<Result<StateWritten, StateError>>;
}

export interface StoredState extends StateDocument {
  /** Of the file's bytes, in hexadecimal. */
  readonly sha256: string;
}

export interface StateWritten {
  readonly sha256Before: string;
  readonly sha256After: string;
  readonly state: StateDocument['state'];
}

export interface StateFileInput {
  /** The folder of the run's state: a door that no tool has. */
  readonly folder: Files;
  readonly workflow: Workflow;
  readonly confirmations: Confirmations;
  /** What the world shows of the steps; left out where nobody runs them. */
  readonly steps?: StepFacts | undefined;
  /** Heard right before a change is written, with the hashes around it; false: it is not written. */
  readonly beforeWrite?: BeforeWrite | undefined;
}

/** What is about to be written: the file, and its sha256 before and after, `absent` where there is none. */
export interface PlannedWrite {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export type BeforeWrite = (planned: PlannedWrite) => Promise<boolean>;

const FILE = 'workflow.md';
const LOCK = 'logs/lock';
/** In bytes. */
const MAX_STATE = 4 * 1024 * 1024;

export function openStateFile(input: StateFileInput): StateFile {
  const { folder, workflow, confirmations, steps, beforeWrite } = input;
  const read: StateFile['read'] = async () => {
    const found = await folder.readDocument(FILE, { limit: MAX_STATE });
    if (!found.ok) return fail({ code: 'E_STATE_UNAVAILABLE', system: found.error.code });
    const document = readState(found.value.text);
    return document.ok ? ok({ ...document.value, sha256: found.value.sha256 }) : document;
  };

  /**
   * Reads, changes and writes, alone with the file: of any number of writers that started from one version, in
   * any number of processes, exactly one wins.
   */
  const change = async (
    ifMatch: string | undefined,
    make: (before: StateDocument) => Result<StateDocument, StateError>,
  ): Promise<Result<StateWritten, StateError>> => {
    const changed = await withLock(folder, LOCK, () => changeAlone(ifMatch, make));
    return changed.ok ? changed.value : fail({ code: 'E_STATE_UNAVAILABLE', system: changed.error.code });
  };

  const changeAlone = async (
    ifMatch: string | undefined,
    make: (before: StateDocument) => Result<StateDocument, StateError>,
  ): Promise<Result<StateWritten, StateError>> => {
    const before = await read();
    if (!before.ok) return before;
    const { sha256, state } = before.value;
    if (guard('state.precondition', ifMatch !== undefined && ifMatch.toLowerCase() !== sha256)) {
      return fail({ code: 'E_PRECONDITION_FAILED', found: sha256 });
    }
    const after = make(before.value);
    if (!after.ok) return after;
    const undone = await (steps && checkDone(steps, workflow, { before: state, after: after.value.state }));
    if (undone !== undefined) return fail(undone);
    const { text } = before.value;
    const needsPerson = isComplete(workflow, state) && after.value.text !== text;
    if (guard('state.confirm', needsPerson && !confirmations.take(text, after.value.text))) {
      const named = confirmations.propose(text, after.value.text);
      return fail({ code: 'STATE_CHANGE_REQUIRES_CONFIRMATION', change: named });
    }
    const planned = { path: STATE_PATH, before: sha256, after: sha256Of(after.value.text) };
    if (beforeWrite !== undefined && !(await beforeWrite(planned))) {
      return fail({ code: 'E_STATE_UNAVAILABLE', system: 'E_DISK' });
    }
    const written = await folder.writeText(FILE, after.value.text, { ifMatch: sha256 });
    if (written.ok)
      return ok({ sha256Before: sha256, sha256After: written.value.sha256, state: after.value.state });
    const { error } = written;
    if (error.code !== 'E_FILE_CHANGED') return fail({ code: 'E_STATE_UNAVAILABLE', system: error.code });
    return fail({
      code: 'E_PRECONDITION_FAILED',
      ...(error.found === undefined ? {} : { found: error.found }),
    });
  };

  return {
    read,
    patch: (patch) => change(patch.ifMatchSha256, (before) => applyPatch(workflow, before, patch)),
    write: (text, ifMatchSha256) => change(ifMatchSha256, (before) => replaceState(workflow, before, text)),
  };
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
