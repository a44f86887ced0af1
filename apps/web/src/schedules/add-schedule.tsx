import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type SheetInputs, sentInputs } from '../library/sent-inputs.js';
import { SheetInputFields } from '../library/sheet-inputs.js';
import { Dialog } from '../ui/dialog.js';
import { ProblemView } from '../ui/problem.js';
import { queries } from '../wire/queries.js';
import { need, server } from '../wire/server.js';
import { cronWords } from './cron-words.js';

/** Says what is begun when. */
export function AddSchedule({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [target, setTarget] = useState('');
  const [cron, setCron] = useState('0 9 * * 1-5');
  const [zone, setZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [missed, setMissed] = useState<'skip' | 'last' | 'all'>('skip');
  const [input, setInput] = useState('');
  const [inputs, setInputs] = useState<SheetInputs>({});
  const add = useMutation({
    mutationFn: async () => {
      const said = { ...(input.trim() !== '' && { input }), ...sentInputs(target, inputs) };
      await need(
        server.addSchedule({ target: target.trim(), cron: cron.trim(), zone: zone.trim(), missed, ...said }),
      );
      await queries.invalidateQueries({ queryKey: ['schedules'] });
      onClose();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Dialog open title="Add a schedule" onClose={onClose}>
      <form className="answer" onSubmit={send}>
        <Field label="Target, such as sheet:review or team:team.yaml" value={target} onChange={setTarget} />
        <Field
          label="Times: minute, hour, day of the month, month, day of the week"
          value={cron}
          onChange={setCron}
        />
        <p className="quiet">{cronWords(cron)}</p>
        <Field label="Time zone" value={zone} onChange={setZone} />
        <p className="field">
          <label htmlFor="schedule-missed">Missed times</label>
          <select
            id="schedule-missed"
            value={missed}
            onChange={(event) => setMissed(event.target.value as 'skip' | 'last' | 'all')}
          >
            <option value="skip">Leave them out</option>
            <option value="last">Make up the newest</option>
            <option value="all">Make up all, at most 100</option>
          </select>
        </p>
        <p className="field">
          <label htmlFor="schedule-input">First message</label>
          <textarea
            id="schedule-input"
            rows={3}
            value={input}
            onChange={(event) => setInput(event.target.value)}
          />
        </p>
        <SheetInputFields target={target} values={inputs} onChange={setInputs} />
        <ProblemView error={add.error} />
        <div className="buttons">
          <button
            type="submit"
            className="main-button"
            disabled={add.isPending || target.trim() === '' || cron.trim() === ''}
          >
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Field(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <div className="field">
      <label>
        {props.label}
        <input
          value={props.value}
          autoComplete="off"
          onChange={(event) => props.onChange(event.target.value)}
        />
      </label>
    </div>
  );
}
