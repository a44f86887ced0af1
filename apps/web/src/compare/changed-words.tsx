import type { ComparisonView } from '@cuebook/api';
import type { ReactNode } from 'react';
import { Heads } from '../ui/heads.js';
import { PatchView } from '../ui/patch.js';
import { plain } from '../ui/plain.js';
import { shown, signed } from './verdict.js';

/** What changed in the words: what is demanded first, then by source with its share in the difference, then who is reached. */
export function ChangedWords({ document }: { readonly document: ComparisonView }): ReactNode {
  const { diff, attribution } = document;
  const { added, dropped } = diff.obligations;
  const origins = diff.origins.filter(({ origin }) => !/^(?:structure|redaction) /u.test(origin));
  const reach = diff.reach ?? [];
  const isNothing = origins.length + added.length + dropped.length === 0;
  return (
    <>
      {isNothing && (
        <p className="quiet">
          No words differ: the variants differ in the model, its parameters or its tools.
        </p>
      )}
      {added.length + dropped.length > 0 && (
        <section className="card">
          <h3>What is demanded</h3>
          {dropped.map(({ force, text }) => (
            <p key={`-${force} ${text}`} className="bad">
              − {force}: {plain(text)}
            </p>
          ))}
          {added.map(({ force, text }) => (
            <p key={`+${force} ${text}`} className="good">
              + {force}: {plain(text)}
            </p>
          ))}
        </section>
      )}
      {origins.map(({ origin, change, from, addedLines, removedLines }) => (
        <PatchView
          key={origin}
          file={`${origin} (${change}${from === undefined ? '' : ` from ${from}`})`}
          patch={[...removedLines.map((line) => `-${line}`), ...addedLines.map((line) => `+${line}`)].join(
            '\n',
          )}
        />
      ))}
      {attribution.length > 0 && (
        <section className="card">
          <h3>Share in the difference</h3>
          <table>
            <Heads names={['change', 'share', 'between']} />
            <tbody>
              {attribution.map(({ origin, share, interval, found }) => (
                <tr key={origin}>
                  <th scope="row">{plain(origin)}</th>
                  <td className={found ? (share > 0 ? 'good' : 'bad') : 'quiet'}>{signed(share)}</td>
                  <td>
                    {signed(interval.low)} and {signed(interval.high)}
                    {!found && ', could be zero'}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {reach.length > 0 && (
        <section className="card">
          <h3>Prompts that change</h3>
          <ul>
            {reach.map(({ target, change, through }) => (
              <li key={target}>
                {plain(target)} <span className="quiet">{change}</span>
                {through.length > 0 && <span className="quiet"> through {plain(through.join(', '))}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="quiet">
        Tokens of a request: {Math.round(document.base.tokens)} to {Math.round(document.candidate.tokens)}.
        The smallest difference that can be detected:{' '}
        {document.design.canSee === null ? 'none' : shown(document.design.canSee)}.
      </p>
    </>
  );
}
