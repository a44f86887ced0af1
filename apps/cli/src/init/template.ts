import { commandLine } from '@cuebook/prompt/hint';
import { DEFINITIONS } from './definitions.js';
import { EDITOR } from './editor.js';
import { CHANGE_TEXT, RULES_TEXT, TONE_TEXT, TRIAGE_TEXT } from './texts.js';

/**
 * What `cuebook init` writes, by path: a small review desk that checks and renders as it stands, with one
 * example of everything. `examples/review-desk` holds the same files.
 */
export const TEMPLATE: Readonly<Record<string, string>> = {
  'cuebook.yaml': `# What is private about this project, beside what Cuebook knows of the machine it runs on.
# roots:   folders that prompts call by an alias, such as { "@data": ../data }
# private: folders that no prompt may name
# names:   people and machines that no prompt may name
# public:  folders that look private but may be named
roots: {}
private: []
names: []
public: []
`,
  'sheets/review.yaml': `title: Review a change
params: { temperature: 0.2 }
tools:
  - name: read_file
    description: Reads a file of the repository under review.
    parameters:
      type: object
      properties: { path: { type: string } }
      required: [path]
capabilities: [read_files]
inputs:
  change:
    trust: external
    secrecy: public
    volatility: turn
    description: The diff to review
    example: |
      --- a/cart.ts
      +++ b/cart.ts
      @@ -3,3 +3,3 @@
       export function total(items: Item[]): number {
      -  return items.reduce((sum, item) => sum + item.price, 0);
      +  return items.reduce((sum, item) => sum + item.price * item.count, 0);
       }
  focus:
    trust: operator
    secrecy: public
    volatility: session
    description: What this team wants looked at first
    example: Look at rounding and at empty carts first.
    required: false
blocks:
  - name: contract
    role: system
    parts:
      - text: |+
          You review changes to a code base, one change at a time.
          You have one tool, read_file. You cannot run anything.

      - include: house-rules
  - name: focus
    role: system
    parts:
      - input: focus
  - name: change
    role: user
    parts:
      - text: |
          Review this change. End with one line: APPROVE or REQUEST CHANGES.
      - input: change
`,
  'sheets/triage.yaml': TRIAGE_TEXT,
  'texts/house-rules.yaml': RULES_TEXT,
  'texts/tone.md': TONE_TEXT,
  'README.md': `# Review desk

Two prompts for agents: \`review\` looks at a change, \`triage\` sorts a report. They share \`texts/tone.md\`.

    ${commandLine`check`}                            every problem at once
    ${commandLine`render sheet:review`}              the exact request, with the author's examples as input
    ${commandLine`render sheet:review --set change=@change.diff`}
    ${commandLine`explain sheet:review --at 10:1`}   where these words come from
    ${commandLine`diff sheet:review sheet:triage`}   what differs, and what else a change reaches
    ${commandLine`render agent:desk --input Hello`}  the first request of an agent, tools and all
    ${commandLine`test`}                             the cases kept beside the prompts

- \`sheets/\` holds one prompt a file: blocks made of texts, includes and inputs
- \`texts/\` holds texts that sheets include: \`.md\` verbatim, \`.yaml\` made of parts
- \`agents/\` holds typed definitions: an agent, its prompts, a tool, a hook and a model
- \`cuebook.yaml\` says what is private about this project

Every input says who could have written it (trust), who may see it (secrecy) and how often it changes
(volatility). Text that is less trusted than the operator stands in a fence it cannot get out of.
`,
  ...DEFINITIONS,
  ...EDITOR,
  'change.diff': CHANGE_TEXT,
  '.gitignore': `.cuebook/
`,
};
