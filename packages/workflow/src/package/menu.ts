import type { TextSource } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { PackageAgent, Workflow, WorkflowPackage } from './package.js';
import { relativePath } from './relative-path.js';
import type { MenuItem } from './schema.js';
import { promptId } from './unused.js';

/** What an item of a menu leads to. */
export interface MenuChoice {
  readonly label: string;
  /** What is said for the user; undefined when the item says nothing. */
  readonly input: string | undefined;
  /** The workflow that it names, if it does. */
  readonly workflow: Workflow | undefined;
  /** The alias path of the file that it hands in. */
  readonly data: string | undefined;
}

/** The item of an agent's menu with a trigger, or at a place counted from 1; else the triggers that there are. */
export function chooseMenu(
  { agents, workflows }: WorkflowPackage,
  agentId: string,
  wanted: string,
): Result<MenuChoice, readonly string[]> {
  const own: PackageAgent | undefined = agents.get(agentId);
  const menu = own?.agent.menu ?? [];
  const name = plainTrigger(wanted);
  const item = menu.find((each) => triggersOf(each).includes(name)) ?? menu[Number(name) - 1];
  if (item === undefined) return fail(menu.map((each, at) => triggersOf(each)[0] ?? String(at + 1)));
  const id = promptId(item.action);
  const prompt = id === undefined ? item.action : own?.agent.prompts?.find((each) => each.id === id)?.content;
  return ok({
    label: item.description,
    input: prompt,
    workflow: item.workflow === undefined ? undefined : workflowOf(workflows, item.workflow),
    data: item.data === undefined ? undefined : dataPath(item.data),
  });
}

/** The texts that the menus of a package hand in, by alias path. What is not there is not among them. */
export async function readMenuData(
  { agents }: WorkflowPackage,
  project: TextSource,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const items = [...agents.values()].flatMap(({ agent }) => agent.menu ?? []);
  const paths = new Set(items.flatMap(({ data }) => (data === undefined ? [] : (dataPath(data) ?? []))));
  const texts = new Map<string, string>();
  for (const path of paths) {
    const inside = path.replace(/^@(?:pkg|project)\//, '');
    const isPackage = path.startsWith('@pkg/');
    const found = await project.readText(isPackage && folder !== '.' ? `${folder}/${inside}` : inside);
    if (found.ok) texts.set(path, found.value);
  }
  return texts;
}

/** A path as packages write it, as an alias path; undefined when it leaves its root. */
export function dataPath(path: string): string | undefined {
  const [, root = '', rest = path] =
    /^(@project|@pkg|\{project-root\}|\{package-root\})[/\\](.*)$/s.exec(path) ?? [];
  const clean = relativePath(rest);
  if (clean === undefined) return undefined;
  return /^(?:@pkg|\{package-root\})$/.test(root) ? `@pkg/${clean}` : `@project/${clean}`;
}

const workflowOf = (workflows: ReadonlyMap<string, Workflow>, named: string): Workflow | undefined =>
  workflows.get(named) ?? [...workflows.values()].find(({ file }) => file === relativePath(named));

function triggersOf({ trigger, triggers = [] }: MenuItem): readonly string[] {
  return [...(trigger === undefined ? [] : [trigger]), ...triggers].map(plainTrigger);
}

/** Menus write `*help`, `/help` and `help` for the same. */
const plainTrigger = (text: string): string => text.trim().replace(/^[*/]/, '').toLowerCase();
