import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';

/** A dialog over the page. Its first field has the focus; where it has none, its first button. The focus goes back to where it was. */
export function Dialog(props: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const body = useRef<HTMLDivElement>(null);
  const firstField = () => body.current?.querySelector<HTMLElement>('input, textarea, select') ?? true;
  return (
    <Base.Root open={props.open} onOpenChange={(open) => !open && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={props.wide ? 'dialog wide' : 'dialog'} initialFocus={firstField}>
          <header>
            <Base.Title className="dialog-title">{props.title}</Base.Title>
            <Base.Close className="quiet-button" aria-label="Close">
              Close
            </Base.Close>
          </header>
          <div className="dialog-body" ref={body}>
            {props.children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
