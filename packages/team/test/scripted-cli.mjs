#!/usr/bin/env node
// A CLI agent for tests: it speaks the line protocol and does what a script says, turn by turn.
//
//   node scripted-cli.mjs SCRIPT [LOG [SESSIONS]]
//
// SCRIPT is a JSON file: `{ "lanes": { "<alias | *>": [ [act, ...], ... ] } }`, one list of acts a turn. The lane is
// the alias that the prompt names; which turn of the lane it is, is the number of turns in the folder `SCRIPT.turns`,
// so that a session that goes on in another process goes on in the script. LOG, if it is named, gets one JSON line
// for each prompt: `{ alias, turn, promptKind, sessionId, access, tools, pid, prompt, remembers }`. SESSIONS is a folder in
// which it keeps each session in a file, a line for each turn; `remembers` is what it finds there of earlier turns.
//
// Acts: { text }, { reasoning }, { call: { id?, name, input } } (one of our tools, natively), { use: { name, input,
// output, isError? } } (a tool of its own), { ask: { tool, input } } (an approval; with `write` it then writes
// `input.file_path`, `input.content`), { write: { path, content } }, { remove: path }, { rename: [from, to] },
// { usage: {...} }, { say: 'answer' } (what the last answer to it was, as text), { waitMs }, { waitFor: path },
// { hang: true }, { deaf: true }, { stderr }, { exit: code }, { fail: { message, status? } }, { line: 'raw line' }.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const [script, log, sessions] = process.argv.slice(2);
const { lanes } = JSON.parse(readFileSync(script, 'utf8'));
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const hear = async () => {
  const { value, done } = await lines.next();
  return done ? process.exit(0) : JSON.parse(value);
};
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const save = (path, content) => {
  mkdirSync(dirname(resolve(path)), { recursive: true });
  writeFileSync(path, content);
};
const never = () => new Promise(() => setInterval(() => undefined, 1e6));

let ids = 0;
let answer;
const nextId = (prefix) => {
  ids += 1;
  return `${prefix}-${ids}`;
};

const ACTS = {
  text: (text) => tell({ kind: 'text', text }),
  reasoning: (text) => tell({ kind: 'reasoning', text }),
  line: (line) => process.stdout.write(`${line}\n`),
  stderr: (text) => process.stderr.write(text),
  usage: (usage) => tell({ kind: 'usage', inputTokens: 10, outputTokens: 5, ...usage }),
  say: () => tell({ kind: 'text', text: JSON.stringify(answer) }),
  write: ({ path, content }) => save(path, content),
  remove: (path) => rmSync(path),
  rename: ([from, to]) => renameSync(from, to),
  waitMs: (ms) => wait(ms),
  async waitFor(path) {
    while (!existsSync(path)) await wait(10);
  },
  async call({ id = nextId('call'), name, input }) {
    tell({ kind: 'toolCall', id, name, input });
    answer = await hear();
  },
  use({ name, input = {}, output = '', isError }) {
    const id = nextId('use');
    tell({ kind: 'toolUse', id, name, input });
    tell({ kind: 'toolUse', id, name, input, output, ...(isError === undefined ? {} : { isError }) });
  },
  async ask({ tool, input, write }) {
    const id = nextId('ask');
    tell({ kind: 'approval', id, tool, input });
    answer = await hear();
    const used = answer.decision === 'change' ? answer.input : input;
    const isAllowed = answer.decision === 'allow' || answer.decision === 'change';
    if (write && isAllowed) save(used.file_path, used.content);
    const output = isAllowed ? 'done' : (answer.message ?? 'denied');
    tell({ kind: 'toolUse', id: `${id}-use`, name: tool, input: used, output, isError: !isAllowed });
  },
  async hang() {
    await hear();
    tell({ kind: 'end', reason: 'error', error: { message: 'cancelled' } });
    return 'over';
  },
  deaf: never,
  fail(error) {
    tell({ kind: 'end', reason: 'error', error });
    return 'over';
  },
  exit(code) {
    process.stdout.write('', () => process.exit(code));
    return never();
  },
};

/** Turns are counted on disk, one file each: whoever makes the file has the turn. */
function nextTurn(lane) {
  const folder = join(`${script}.turns`, encodeURIComponent(lane).replace('*', '_'));
  mkdirSync(folder, { recursive: true });
  const turn = readdirSync(folder).length;
  writeFileSync(join(folder, String(turn)), '', { flag: 'wx' });
  return turn;
}

/** A delta does not name the alias again, only those of others: it is kept with the session. */
function aliasOf({ prompt, sessionId }) {
  const file = join(`${script}.turns`, 'sessions', sessionId);
  const named = /^TASK_PAYLOAD\n(?:- .*\n)*?- alias: ([A-Za-z][A-Za-z0-9_-]*)$/m.exec(prompt)?.[1];
  if (named !== undefined) save(file, named);
  return named ?? (existsSync(file) ? readFileSync(file, 'utf8') : '*');
}

for (;;) {
  const prompt = await hear();
  if (prompt.kind !== 'prompt') continue;
  const alias = aliasOf(prompt);
  const lane = Object.hasOwn(lanes, alias) ? alias : '*';
  const turn = nextTurn(lane);
  const { promptKind, sessionId, access, tools } = prompt;
  const memory = sessions === undefined ? undefined : join(sessions, `${sessionId}.jsonl`);
  const remembers = memory !== undefined && existsSync(memory) ? readFileSync(memory, 'utf8') : undefined;
  if (log !== undefined)
    appendFileSync(
      log,
      `${JSON.stringify({ alias, turn, promptKind, sessionId, access, tools: tools?.map(({ name }) => name), pid: process.pid, prompt: prompt.prompt, remembers })}\n`,
    );
  let isOver = false;
  for (const act of lanes[lane]?.[turn] ?? [{ text: 'Nothing more to say.' }]) {
    const [kind] = Object.keys(act);
    if ((await ACTS[kind](act[kind])) === 'over') {
      isOver = true;
      break;
    }
  }
  if (memory !== undefined) {
    mkdirSync(sessions, { recursive: true });
    appendFileSync(memory, `${JSON.stringify({ cwd: process.cwd(), acts: lanes[lane]?.[turn] })}\n`);
  }
  if (!isOver) tell({ kind: 'end' });
}
