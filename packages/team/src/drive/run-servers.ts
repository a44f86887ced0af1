import type { Clock, Engine, Outcome, ProblemPlace, ToolCallInput } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import type { Redactor } from '@cuebook/prompt';
import { answerText, type Servers, type ServersConfig } from '@cuebook/provider/servers';
import { recordedTool } from '../capability/served.js';
import type { TeamCommand } from '../run/command.js';
import type { TeamState } from '../run/state.js';

/** The MCP servers of runs: connected to when a node that may use them has a turn, left when nobody uses them. */
export interface RunServers {
  /** Sees to it that the record has what the servers offer now, where a node may use them. */
  look(run: RunId, node: string, id: string): Promise<void>;
  call(run: RunId, call: Pick<ToolCallInput, 'tool' | 'input'>, signal: AbortSignal): Promise<Outcome>;
  close(run: RunId): Promise<void>;
  closeAll(): Promise<void>;
}

interface RunServersParts {
  readonly engine: () => Pick<Engine<TeamState, TeamCommand>, 'read' | 'submit'>;
  /** The servers that a run may use: those of the operator at its beginning. */
  readonly configOf: (run: RunId) => Promise<ServersConfig>;
  readonly connect: (config: ServersConfig) => Promise<Servers>;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** How long connections that nobody uses stay open. */
  readonly idleMs: number;
  readonly onProblem: (error: unknown, about: ProblemPlace) => void;
}

interface Entry {
  readonly servers: Promise<Servers>;
  /** Its problems are told once. */
  isTold: boolean;
  /** A program of it has ended: whoever comes next connects anew. */
  isBroken: boolean;
  users: number;
  cancelIdle: () => void;
}

export function createRunServers(parts: RunServersParts): RunServers {
  const { engine, configOf, connect, redactor, clock, idleMs, onProblem } = parts;
  const entries = new Map<RunId, Entry>();

  async function leave(entry: Entry): Promise<void> {
    entry.cancelIdle();
    await (await entry.servers).close();
  }
  async function close(run: RunId): Promise<void> {
    const entry = entries.get(run);
    entries.delete(run);
    if (entry !== undefined) await leave(entry);
  }
  function enter(run: RunId): Entry {
    const known = entries.get(run);
    if (known !== undefined && !(known.isBroken && known.users === 0)) return known;
    if (known !== undefined) void leave(known);
    const servers = configOf(run).then(connect);
    const entry = { servers, isTold: false, isBroken: false, users: 0, cancelIdle: () => undefined };
    entries.set(run, entry);
    return entry;
  }
  async function use<Value>(
    run: RunId,
    work: (servers: Servers, entry: Entry) => Promise<Value>,
  ): Promise<Value> {
    const entry = enter(run);
    entry.users += 1;
    entry.cancelIdle();
    try {
      return await work(await entry.servers, entry);
    } finally {
      entry.users -= 1;
      if (entry.users === 0 && entries.get(run) === entry)
        entry.cancelIdle = clock.at(clock.now() + idleMs, () => void close(run));
    }
  }

  return {
    async look(run, node, id) {
      const { state } = await engine().read(run);
      const named = Object.hasOwn(state.nodes, node) ? state.nodes[node]?.node.servers : undefined;
      if (named === undefined || named.length === 0) return;
      await use(run, async (servers, entry) => {
        const changed = await servers.refresh();
        const problems = [...(entry.isTold ? [] : servers.problems), ...changed];
        entry.isTold = true;
        for (const problem of problems) onProblem(problem, { run });
        const tools = servers.tools.map(recordedTool);
        await engine().submit(run, { type: 'servers.list', tools, problems, id: `servers ${id}` });
      });
    },
    call: (run, { tool: name, input }, signal) =>
      use(run, async (servers, entry) => {
        const tool = servers.tools.find((each) => each.name === name);
        if (tool === undefined) return failed('TOOL_NOT_AVAILABLE', `${name} is not offered any more.`);
        const answer = await servers.call(tool, input, signal);
        if (!answer.ok) entry.isBroken ||= Object(answer.error.details).cause === 'E_MCP_CRASH';
        const { ok, text } = answerText(answer);
        const clean = redactor.redactText(text).text;
        if (signal.aborted) return failed('E_EFFECT_ABORTED', clean);
        return { ok: true, output: { text: clean, ...(ok ? {} : { isError: true }) } };
      }),
    close,
    async closeAll() {
      await Promise.all([...entries.keys()].map(close));
    },
  };
}

const failed = (code: string, message: string): Outcome => ({ ok: false, error: { code, message } });
