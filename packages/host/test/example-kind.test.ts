import { readFileSync } from 'node:fs';
import ledger from '../../../examples/kind-ledger/ledger.mjs';
import { ROOT } from '../../../test/root.js';
import { describeKind, projectFile } from './conformance.js';

const call = (name: string, line: string): object => ({ toolCalls: [{ id: 'c1', name, args: { line } }] });
const booked = { isDone: (stand: Parameters<typeof projectFile>[0]) => projectFile(stand, 'book.txt') };

describeKind('the example of a kind', {
  kind: () => ledger,
  files: { 'ledgers/shop.md': readFileSync(`${ROOT}/examples/kind-ledger/ledgers/shop.md`, 'utf8') },
  target: 'ledger:shop',
  script: (steps) => JSON.stringify({ lanes: { '*': steps } }),
  afterWords: 'done',
  told: { text: 'You keep the ledger', ref: 'ledgers/shop.md' },
  asks: {
    ...{ ...booked, step: call('book', 'Bob'), done: 'Bob\n' },
    ...{ changed: { line: 'Eve' }, changedTo: 'Eve\n' },
  },
  stalls: { toolCalls: [{ name: 'balance', args: {} }] },
  doubts: { ...booked, step: call('remark', 'noted'), hit: 2, done: 'noted\n' },
});
