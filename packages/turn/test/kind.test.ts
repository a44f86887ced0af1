import { sheetProfile } from '@cuebook/sheet';
import { describeKind } from '../../host/test/conformance.js';
import { profileTurns } from '../src/turn-kind.js';

const SHEET = `title: Review a change
inputs:
  change: { trust: external, secrecy: public, volatility: turn, description: What is reviewed, example: a change }
blocks:
  - { name: rules, role: system, parts: [{ text: You review changes. }] }
  - { name: change, role: user, parts: [{ input: change }] }
`;

describeKind('a run of one turn', {
  kind: () => profileTurns({ sheet: async () => sheetProfile }),
  files: { 'sheets/review.yaml': SHEET },
  target: 'sheet:review',
  call: { options: { set: { change: 'Two lines.' } } },
  script: (steps) => JSON.stringify({ lanes: { '*': steps } }),
  afterWords: 'done',
  // A turn is taken again when it has failed.
  again: { after: { text: 'Half', error: { status: 500 } }, word: { type: 'resume' } },
  told: { text: 'You review changes.', ref: 'sheets/review.yaml' },
});
