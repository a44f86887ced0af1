import type { ReactNode } from 'react';
import { Dialog } from '../ui/dialog.js';
import { useKeyGroups } from './keys.js';

/** The sheet of keys for the screen that is shown. */
export default function Help({ onClose }: { readonly onClose: () => void }): ReactNode {
  const groups = useKeyGroups().toReversed();
  return (
    <Dialog open title="Keyboard shortcuts" onClose={onClose}>
      {groups.map(({ name, commands }) => (
        <section key={name} className="key-group">
          <h3>{name}</h3>
          <dl>
            {commands
              .filter(({ keys }) => keys !== '')
              .map(({ keys, label }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <p className="quiet">
        In a form <kbd>Ctrl</kbd>
        <kbd>Enter</kbd> sends it and <kbd>Esc</kbd> leaves it.
      </p>
    </Dialog>
  );
}
