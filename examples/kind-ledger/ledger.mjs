import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse, talkBlocks, talkKind } from '@cuebook/host';
import { composeRequest, describeRefusal, fail, ok } from '@cuebook/prompt';

/** What the model is told of each tool, and what the tool does. Nothing is booked that a person did not allow. */
const TOOLS = [
  {
    name: 'balance',
    description: 'The lines of the ledger.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    safety: 'idempotent',
    run: async (_input, { ground }) => {
      const lines = await ground.files.readText(BOOK);
      return lines.ok ? lines.value : 'The ledger is empty.';
    },
  },
  {
    name: 'book',
    description: 'Adds a line to the ledger. A person is asked first.',
    parameters: LINE(),
    policy: 'ask',
    run: add,
  },
  { name: 'remark', description: 'Adds a remark to the ledger.', parameters: LINE(), run: add },
];

const BOOK = 'book.txt';

function LINE() {
  const properties = { line: { type: 'string', maxLength: 200 } };
  return { type: 'object', properties, required: ['line'], additionalProperties: false };
}

async function add({ line }, { ground }) {
  await appendFile(join(ground.folder, BOOK), `${line}\n`);
  return 'It is written.';
}

/** `ledger:NAME` talks to a clerk whose rules are in `ledgers/NAME.md`. */
export default talkKind({
  name: 'ledger',
  prefixes: ['ledger'],
  tools: TOOLS,
  async start({ target, input }, { ground }) {
    const rules = `ledgers/${target.replace(/^ledger:/, '')}.md`;
    const text = await ground.files.readText(rules);
    if (!text.ok) return refuse('invalid', text.error.code, `There is no ${rules} that can be read.`);
    if (input === undefined) return refuse('invalid', 'E_INPUT', 'Say something to the clerk: --input TEXT');
    return ok({ about: { rules }, sources: { files: { [rules]: text.value }, about: null }, text: input });
  },
  async compose({ facts, sources, agent }, { ground }) {
    const { rules } = facts.about;
    const told = { trust: 'author', secrecy: 'public', volatility: 'deploy' };
    const piece = {
      ...told,
      text: sources.files[rules],
      origin: { kind: 'file', ref: rules, line: 1, column: 1 },
    };
    const request = composeRequest({
      blocks: [{ name: 'rules', role: 'system', pieces: [piece] }, ...talkBlocks(agent)],
      tools: TOOLS.map(({ name, description, parameters }) => ({ name, description, parameters })),
      hash: ground.hash,
      redactor: ground.redactor,
    });
    if (request.ok) return request;
    const [first] = request.error;
    return fail({ code: first.code, message: describeRefusal(first) });
  },
});
