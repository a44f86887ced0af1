import type { LiveProject } from '@cuebook/define';
import type { TurnRecorder } from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import type { RunId, Store } from '@cuebook/journal';
import type { ComposeMemo, Hash, Redactor } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';
import type { Environments } from '../env/layers.js';
import type { Mask } from '../env/mask.js';
import type { ThreadRunState } from '../run/state.js';
import type { ThreadVoices } from './voices.js';

/** What drivers of threads share. */
export interface DriveParts {
  readonly live: LiveProject;
  /** Takes over what MCP servers have said of changes of their tools: between turns. */
  readonly refresh: () => Promise<unknown>;
  readonly environments: Environments;
  readonly store: Pick<Store, 'putBlob' | 'getBlob'>;
  readonly recorder: TurnRecorder;
  readonly state: (run: string) => Promise<ThreadRunState>;
  /** Files that messages may attach; without them there are none. */
  readonly files: Files | undefined;
  /** CUEBOOK_HOME, which nobody attaches anything from. */
  readonly home: string | undefined;
  readonly hash: Hash;
  /** What earlier steps composed. */
  readonly memo?: ComposeMemo;
  /** For what is kept. More values than those of the state may be handed in. */
  readonly maskOf: (state: ThreadRunState, more?: readonly string[]) => Mask;
  /** For what is sent. */
  readonly redactorOf: (state: ThreadRunState) => Redactor;
  readonly voices: ThreadVoices;
  readonly describe: Describe | undefined;
  readonly hookMs: number;
  readonly toolMs: number;
  /** Aborted when a person stops the run. */
  readonly stopOf: (run: string) => AbortSignal;
  readonly publish: (event: ThreadLiveEvent) => void;
}

/** Tells what a picture shows, for when it is not sent any more. Undefined: nobody can say. */
export type Describe = (image: {
  readonly type: string;
  /** In base64. */
  readonly data: string;
  readonly path: string;
}) => Promise<string | undefined>;

/** What happens while a thread runs, for watchers. */
export interface ThreadLiveEvent {
  readonly run: RunId;
  readonly frame: string;
  /** The turn. */
  readonly effect: string;
  readonly agent: string | null;
  readonly prompt: string;
  readonly event: TurnEvent;
}
