import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

/** A dialog over the page. It gives the focus back to where it was. */
export function Dialog(props: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Base.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={props.wide ? 'dialog wide' : 'dialog'}>
          <header>
            <Base.Title className="dialog-title">{props.title}</Base.Title>
            <Base.Close className="quiet-button" aria-label="Close">
              Close
            </Base.Close>
          </header>
          <div className="dialog-body">{props.children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
