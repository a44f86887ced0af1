import { useEffect, useRef, useSyncExternalStore } from 'react';

/** Something that can be done from the keyboard. */
export interface KeyCommand {
  /** One key such as `a`, or two after each other such as `g n`. Empty: only the palette offers it. */
  readonly keys: string;
  readonly label: string;
  run(): void;
}

/** Commands of one screen or of all, as the help sheet groups them. */
export interface KeyGroup {
  readonly name: string;
  readonly commands: readonly KeyCommand[];
}

let groups: readonly KeyGroup[] = [];
const listeners = new Set<() => void>();
const set = (next: readonly KeyGroup[]): void => {
  groups = next;
  for (const listener of listeners) listener();
};

/** Offers commands while the caller is shown. The newest group wins where two want the same key. */
export function useKeys(name: string, commands: readonly KeyCommand[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const shape = commands.map(({ keys, label }) => `${keys}\t${label}`).join('\n');
  useEffect(() => {
    const offered = shape === '' ? [] : shape.split('\n').map((line) => line.split('\t') as [string, string]);
    const group: KeyGroup = {
      name,
      commands: offered.map(([keys, label], index) => ({
        keys,
        label,
        run: () => latest.current[index]?.run(),
      })),
    };
    set([...groups, group]);
    return () => set(groups.filter((each) => each !== group));
  }, [name, shape]);
}

/** What can be done now. */
export const useKeyGroups = (): readonly KeyGroup[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => groups,
  );

/** How long the second key of two may take. */
const SECOND_MS = 1_200;

/** Listens to the keyboard of the whole page; answers how to stop. Keys typed into a field or a dialog are not ours. */
export function listenToKeys(): () => void {
  let first = '';
  let at = 0;
  const hear = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const typed = first !== '' && event.timeStamp - at < SECOND_MS ? `${first} ${event.key}` : event.key;
    const found = findCommand(typed) ?? findCommand(event.key);
    first = found === undefined ? event.key : '';
    at = event.timeStamp;
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  };
  addEventListener('keydown', hear);
  return () => removeEventListener('keydown', hear);
}

function findCommand(keys: string): KeyCommand | undefined {
  return groups
    .toReversed()
    .flatMap(({ commands }) => commands)
    .find((command) => command.keys !== '' && command.keys === keys);
}

function isTyping({ target }: Event): boolean {
  if (!(target instanceof Element)) return false;
  // An editor lives in a shadow root, so the page sees its host.
  return target.closest('input, textarea, select, [contenteditable], [role=dialog], .editor') !== null;
}
