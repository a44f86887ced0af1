// @ts-check
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

// Runs calls of the built command in one process that has loaded it, one after another or side by side: a process of
// its own for each takes a second to load the same modules. `client.mjs` is what documents call. Modules that use the
// packages run here too, one at a time.
//   node server.mjs SOCKET URL-OF-RUN

const [, , place = '', url = ''] = process.argv;
/** @type {{ run: typeof import('../../../apps/cli/src/run.js').run }} */
const { run } = await import(url);
/** @type {{ projectIn: typeof import('../../../apps/cli/src/hint/program.js').projectIn }} */
const { projectIn } = await import(new URL('hint/program.js', url).href);

createServer((socket) => {
  const stop = new AbortController();
  /** @type {Buffer[]} */
  const input = [];
  let isOver = false;
  let wake = () => {};
  const tell = (/** @type {object} */ message) => void socket.write(`${JSON.stringify(message)}\n`);
  socket.on('error', () => stop.abort());
  socket.on('close', () => stop.abort());
  createInterface({ input: socket }).on('line', (line) => {
    const told = JSON.parse(line);
    if (told.args) void answer(told);
    if (told.module)
      void runModule(told).then(
        () => tell({ code: 0 }),
        (error) => tell({ err: String(error?.stack ?? error) }),
      );
    if (told.stop) stop.abort();
    if (told.input) input.push(Buffer.from(told.input, 'base64'));
    if (told.end) isOver = true;
    wake();
  });

  async function* stdin() {
    tell({ reads: true });
    for (;;) {
      const next = input.shift();
      if (next) yield next;
      else if (isOver) return;
      else await new Promise((resolve) => (wake = () => resolve(undefined)));
    }
  }

  /** @param {{ args: string[], cwd: string, env: Record<string, string> }} call */
  async function answer({ args, cwd, env }) {
    const code = await run(args, {
      ...{ cwd, env, stop: stop.signal, terminal: { in: false, out: false, err: false } },
      typing: { program: 'cuebook', project: projectIn(args) },
      out: async (text) => tell({ out: text }),
      exact: async (text) => tell({ out: text }),
      err: (text) => tell({ err: text }),
      wait: () => tell({ waits: true }),
      get stdin() {
        return stdin();
      },
    });
    tell({ code });
    socket.end();
  }
}).listen(place, () => console.log('ready'));

/**
 * Loads a module in the folder and with the variables that it would have alone.
 *
 * @param {{ module: string, cwd: string, env: Record<string, string> }} call
 */
async function runModule({ module, cwd, env }) {
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const enter = (/** @type {{ cwd: string, env: NodeJS.ProcessEnv }} */ world) => {
    process.chdir(world.cwd);
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, world.env);
  };
  enter({ cwd, env });
  try {
    await import(module);
  } finally {
    enter(before);
  }
}
