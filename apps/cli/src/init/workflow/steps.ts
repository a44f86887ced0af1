const step = (id: string, type: string, body: string): string => `---
schemaVersion: "1.1"
nodeId: ${id}
type: ${type}
---

${body}`;

/** The instructions of the five steps, by node. */
export const STEPS: Readonly<Record<string, string>> = {
  intake: step(
    'intake',
    'step',
    `# Take in the request

1. If the user has not said what they want, ask with \`ui.ask_user\` and stop.
2. Write the request in their words to \`@project/artifacts/request.md\`.
3. Set the variable \`request\` to one sentence.
4. Complete this step and go on to \`decide\`.
`,
  ),
  decide: step(
    'decide',
    'decision',
    `# Small or large

Read \`@project/artifacts/request.md\`.
A request is small when it can be answered in one page without further work.

- small: set \`size\` to \`small\`, log the decision, go on to \`answer\`
- otherwise: set \`size\` to \`large\`, log the decision, go on to \`plan\`
`,
  ),
  answer: step(
    'answer',
    'step',
    `# Answer at once

Write the answer, one page at most, to \`@project/artifacts/answer.md\`. Then go on to \`close\`.
`,
  ),
  plan: step(
    'plan',
    'step',
    `# Write a plan

Write at most seven steps to \`@project/artifacts/plan.md\`, each with a result that can be seen. Then go on to \`close\`.
`,
  ),
  close: step(
    'close',
    'end',
    `# Sum up

Write what was asked and what was made to \`@project/artifacts/summary.md\`, then complete this step.
`,
  ),
};
