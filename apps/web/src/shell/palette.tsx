import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { runTitle } from '../runs/run-words.js';
import { Dialog } from '../ui/dialog.js';
import { plain } from '../ui/plain.js';
import { runsQuery, searchQuery } from '../wire/queries.js';
import { useKeyGroups } from './keys.js';

interface Entry {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  run(): void;
}

/** Finds runs and commands by their words, and does what is chosen. */
export default function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const entries = useEntries().filter(({ label, hint }) => fits(`${label} ${hint}`, typed));
  const { found, isReading } = useFound(typed.trim());
  const shown = [...entries.slice(0, MOST), ...found];
  const chosen = Math.min(at, shown.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`#palette-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((shown.length + chosen + step) % Math.max(1, shown.length));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(shown[chosen]);
    }
  };
  return (
    <Dialog open title="Search and commands" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Search"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={shown.length === 0 ? undefined : `palette-${chosen}`}
        placeholder="A run, a screen, a command, or words of a prompt or an event"
        value={typed}
        onKeyDown={onKey}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
      />
      <div id="palette-list" role="listbox" aria-label="Found" className="palette-list" ref={list}>
        {shown.map((entry, index) => (
          <div
            key={entry.key}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onPointerUp={() => choose(entry)}
          >
            <span>{plain(entry.label)}</span>
            <span className="quiet">{plain(entry.hint)}</span>
          </div>
        ))}
      </div>
      {isReading && <p className="quiet">Looking through prompts and events …</p>}
      {shown.length === 0 && !isReading && <p className="quiet">No results.</p>}
    </Dialog>
  );
}

/** The most entries that are shown at once. */
const MOST = 40;

function useEntries(): readonly Entry[] {
  const groups = useKeyGroups();
  const { data: runs = [] } = useQuery(runsQuery);
  const navigate = useNavigate();
  const commands = groups
    .toReversed()
    .flatMap(({ name, commands: all }) =>
      all.map(({ keys, label, run }) => ({ key: `${name} ${label}`, label, hint: keys || name, run })),
    );
  const found = runs.map((each) => ({
    key: each.run,
    label: runTitle(each),
    hint: `${each.kind} · ${each.status} · ${each.run}`,
    run: () => void navigate({ to: '/runs/$run', params: { run: each.run }, search: {} }),
  }));
  return [...commands, ...found];
}

/** Words of prompts and events, once nothing more is typed for a moment. */
function useFound(typed: string): { readonly found: readonly Entry[]; readonly isReading: boolean } {
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), STILL_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, isFetching } = useQuery(searchQuery(text));
  const navigate = useNavigate();
  const found = (text === typed ? (data?.found ?? []) : []).map((each): Entry => {
    const { run, seq, turn, byte, where, kind } = each;
    return {
      key: `found ${run} ${seq} ${where} ${byte}`,
      label: each.excerpt,
      hint: `${kind}: ${where} · ${run}`,
      run: () =>
        turn === null
          ? void navigate({ to: '/runs/$run', params: { run }, search: { at: seq } })
          : void navigate({
              to: '/runs/$run/turns/$turn',
              params: { run, turn },
              search: byte === null ? {} : { byte },
            }),
    };
  });
  return { found, isReading: typed.length > 2 && (isFetching || text !== typed) };
}

/** How long nothing must be typed before the server searches, in milliseconds. */
const STILL_MS = 250;

/** Every typed word is somewhere in the text. */
const fits = (text: string, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
