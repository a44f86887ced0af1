import { pathToFileURL } from 'node:url';
import { checkProject, openLiveProject } from '@cuebook/define';
import type { RunVoices } from '@cuebook/host';
import type { McpResources } from '@cuebook/provider';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { readInput } from '../input/flags.js';
import { problemLine } from '../output/diagnostics.js';
import { screenText } from '../output/style.js';
import { openBench } from '../project/bench.js';
import { openAgentVoices } from '../run/agent/voices.js';
import type { McpDesk } from './desk.js';
import { createLineLog } from './line-log.js';
import { offerOf, type ProjectOffer } from './offer.js';
import { createResources } from './resources.js';
import { createVariables, type HandedVariables, type ServerVariables } from './variables.js';

/** A project as it is served: as it was when its files were last read. */
export interface Served {
  readonly desk: McpDesk;
  readonly offer: ProjectOffer;
  readonly resources: McpResources;
}

/** The lists that clients have. */
export type ChangedList = 'tools' | 'prompts' | 'resources';

/** A project that is served while its files change. */
export interface Serving {
  readonly now: () => Served;
  /** Does something with the project as it is now; it stays as it is until that is done. */
  use<Value>(work: (served: Served) => Promise<Value>): Promise<Value>;
  /** Called with each list that has changed, or may have. */
  onChange(tell: (list: ChangedList) => void): void;
  close(): Promise<void>;
}

/** Opens a project and reads it again whenever its files change. One that cannot be read now is told, and the last stays. */
export async function openServing(call: Call): Promise<Serving> {
  const { io } = call;
  let variables: ServerVariables | undefined;
  let given: Promise<Partial<HandedVariables>> | undefined;
  let tell: (list: ChangedList) => void = () => undefined;
  let current = await open();
  let reading: Promise<void> = Promise.resolve();
  const { files } = current.served.desk.bench;
  const watcher = await files.watch(
    () => {
      reading = reading.then(again);
    },
    { ignore: ['.git', 'node_modules', '.cuebook'] },
  );
  if (!watcher.ok) io.err('cuebook mcp: the folder cannot be watched; start again to see a changed file\n');

  async function open(): Promise<Held> {
    const { flags } = call;
    const bench = await openBench(flags, io);
    const profile = bench.profiles.find(({ prefix }) => prefix === 'prompt');
    if (profile === undefined) throw new Failure('E_INTERNAL', 'The kind of prompts is missing');
    const handed = { ...NOTHING, ...(await handedOnce(profile)) };
    const print = (line: string): void => {
      const shown = bench.redactor.redactText(line).text;
      io.err(screenText(variables?.mask(shown) ?? shown, io.terminal.err));
    };
    // A log for each: what two of them say at once must not be put together.
    const logs = { stdout: createLineLog(print), stderr: createLineLog(print), late: createLineLog(print) };
    const live = await openLiveProject(bench.files, {
      folder: pathToFileURL(`${bench.folder}/`).href,
      onOutput: (text, from) => logs[from](text),
    });
    const { catalog } = live;
    variables = createVariables(catalog, handed, variables?.carried());
    for (const diagnostic of checkProject(catalog)) io.err(problemLine(io, 'err', diagnostic));
    let voices: Promise<RunVoices> | undefined;
    const desk: McpDesk = {
      ...{ live, bench, call, variables },
      voices: () => {
        voices ??= openAgentVoices(bench, call);
        return voices;
      },
    };
    return held({ desk, offer: offerOf(catalog), resources: createResources(desk) });
  }

  /** What the command line hands in is read once: standard input does not come twice. */
  function handedOnce(profile: Parameters<typeof readInput>[0]): Promise<Partial<HandedVariables>> {
    given ??= readInput(profile, call.flags, io).then((input) => input ?? {}) as Promise<
      Partial<HandedVariables>
    >;
    return given;
  }

  async function again(): Promise<void> {
    const before = current;
    try {
      current = await open();
    } catch (error) {
      const why = error instanceof Failure ? `${error.code} ${error.message}` : 'it cannot be read';
      io.err(`cuebook mcp: the project is served as it was: ${why}\n`);
      return;
    }
    for (const list of ['tools', 'prompts'] as const) {
      const [was, is] = [before, current].map(({ served }) => JSON.stringify(served.offer[list]));
      if (was !== is) tell(list);
    }
    // To know whether these are others, every target would have to be looked at.
    tell('resources');
    await before.retire();
  }

  function held(served: Served): Held {
    let uses = 0;
    let isRetired = false;
    const end = async (): Promise<void> => {
      if (isRetired && uses === 0) await served.desk.live.close();
    };
    return {
      served,
      async use(work) {
        uses += 1;
        try {
          return await work(served);
        } finally {
          uses -= 1;
          await end();
        }
      },
      async retire() {
        isRetired = true;
        await end();
      },
    };
  }

  return {
    now: () => current.served,
    use: (work) => current.use(work),
    onChange: (given) => {
      tell = given;
    },
    async close() {
      if (watcher.ok) await watcher.value.close();
      await reading;
      await current.served.desk.live.close();
    },
  };
}

interface Held {
  readonly served: Served;
  use<Value>(work: (served: Served) => Promise<Value>): Promise<Value>;
  /** Its functions end when nobody uses them any more. */
  retire(): Promise<void>;
}

const NOTHING: HandedVariables = { env: {}, accountEnv: {}, instanceEnv: {} };
