import type { CardView } from '@cuebook/api';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { useSettled } from '../library/use-settled.js';
import { plain } from '../ui/plain.js';
import { ProblemView } from '../ui/problem.js';
import { Verbatim } from '../ui/text.js';
import { need, server } from '../wire/server.js';
import { type CardForm, draftOf, formOf, NEW_CARD } from './card-form.js';
import { lookAtPlatform } from './queries.js';

/** A card as its owner writes it, and beside it what models will read because of it. */
export function CardEditor({ card }: { readonly card: CardView | undefined }): ReactNode {
  const [form, setForm] = useState(card === undefined ? NEW_CARD : formOf(card));
  const navigate = useNavigate();
  const change = (more: Partial<CardForm>) => setForm({ ...form, ...more });
  const draft = useMemo(() => draftOf(form, card), [form, card]);
  const asked = useSettled(draft);
  const isNamed = asked.agent_id !== '' && asked.name !== '';
  const preview = useQuery({
    queryKey: ['card preview', asked],
    queryFn: () => need(server.previewCard(asked)),
    enabled: isNamed,
    placeholderData: keepPreviousData,
  });
  const save = useMutation({
    mutationFn: async () => {
      await need(server.saveCard({ agent: draft.agent_id, ...draft }));
      await lookAtPlatform();
    },
    onSuccess: () => void navigate({ to: '/platform', search: { tab: 'cards', of: draft.agent_id } }),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <div className="card-editor">
      <form className="card start" onSubmit={onSubmit}>
        <h2>{card === undefined ? 'A new card' : plain(card.draft.name)}</h2>
        {card !== undefined && (
          <p className="quiet">
            Version {card.cardVersion}, {card.status}
            {card.reason !== undefined && `: ${plain(card.reason)}`}. A saved change needs a review.
          </p>
        )}
        {card === undefined && (
          <Line label="Id" value={form.agent} onChange={(agent) => change({ agent })} required />
        )}
        <Line label="Name" value={form.name} onChange={(name) => change({ name })} required />
        <Text
          label="Description"
          value={form.description}
          onChange={(description) => change({ description })}
        />
        <Text label="Bio" value={form.bio} onChange={(bio) => change({ bio })} />
        <Line label="Greeting" value={form.greeting} onChange={(greeting) => change({ greeting })} />
        <div className="field-row">
          <Text
            label="Interests, one per line"
            value={form.interests}
            onChange={(interests) => change({ interests })}
          />
          <Text
            label="Capabilities, one per line"
            value={form.capabilities}
            onChange={(capabilities) => change({ capabilities })}
          />
        </div>
        <div className="field-row">
          {TRAITS.map((trait) => (
            <Trait
              key={trait}
              name={trait}
              value={form[trait]}
              onChange={(value) => change({ [trait]: value })}
            />
          ))}
        </div>
        <label>
          <input
            type="checkbox"
            checked={form.isPublic}
            onChange={({ target }) => change({ isPublic: target.checked })}
          />{' '}
          Every admitted agent may read this card
        </label>
        <div className="buttons">
          <button type="submit" className="main-button" disabled={save.isPending}>
            Save
          </button>
          {save.isSuccess && <span role="status">Saved.</span>}
        </div>
        <ProblemView error={save.error} />
      </form>
      <div className="card-preview">
        {isNamed ? <ProblemView error={preview.error} /> : <p className="quiet">Give it an id and a name.</p>}
        {isNamed && preview.data !== undefined && (
          <>
            <h2>What other agents read about it</h2>
            <Verbatim label="Prompt view" text={preview.data.card.prompt_view} />
            <h2>Its base prompt</h2>
            <Verbatim label="Base prompt" text={preview.data.basePrompt} />
          </>
        )}
      </div>
    </div>
  );
}

const TRAITS = ['extrovert', 'curious', 'creative', 'stable'] as const;

interface FieldProps<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Line(
  props: FieldProps<string> & { readonly label: string; readonly required?: boolean },
): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <input
        id={id}
        value={props.value}
        required={props.required === true}
        onChange={({ target }) => props.onChange(target.value)}
      />
    </div>
  );
}

function Text(props: FieldProps<string> & { readonly label: string }): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <textarea
        id={id}
        rows={3}
        value={props.value}
        onChange={({ target }) => props.onChange(target.value)}
      />
    </div>
  );
}

function Trait(props: FieldProps<number> & { readonly name: string }): ReactNode {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {props.name} {props.value}
      </label>
      <input
        id={id}
        type="range"
        min="0"
        max="1"
        step="0.1"
        value={props.value}
        onChange={({ target }) => props.onChange(Number(target.value))}
      />
    </div>
  );
}
