import type { ApprovalView } from '@cuebook/api';
import { WORKFLOW_TEMPLATE } from '../src/init/workflow/template.js';
import { cuebook, folderWith } from './cuebook.js';

export const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
export const TARGET = 'workflow:workflows/request';

/** A step in which the agent asks. */
export const ask = (args: object) => ({
  toolCalls: [{ name: 'ui.ask_user', args: { widgetId: 'q', ...args } }],
});

/** A project with a workflow that takes these steps, waits after them, and says thanks when it goes on. */
export async function asking(steps: readonly object[], files: Readonly<Record<string, string>> = {}) {
  const script = JSON.stringify({ lanes: { '*': [...steps, { text: 'Thanks.' }] } });
  const cwd = folderWith({ ...WORKFLOW_TEMPLATE, 'ask.json': script, ...files });
  const call = (...args: readonly string[]) => cuebook(args, { cwd, env });
  const begun = await call('run', TARGET, '--script', 'ask.json', '--json');
  const { run } = JSON.parse(begun.stdout) as { readonly run: string };
  const waits = () => waiting(cwd);
  const [first] = await waits();
  return { cwd, run, call, waits, id: first?.id ?? '', first };
}

/** What waits in a project, as JSON tells it. */
export async function waiting(cwd: string): Promise<readonly ApprovalView[]> {
  const { stdout } = await cuebook(['approvals', '--json'], { cwd, env });
  return (JSON.parse(stdout) as { readonly approvals: readonly ApprovalView[] }).approvals;
}
