/** What lies over the page while it is open: Escape closes it, and the focus returns to where it was. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  name: string;
  kind: string;
  open: boolean;
  close: () => void;
  children: ComponentChildren;
}

export const Modal = ({ name, kind, open, close, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class={kind} aria-label={name} onClose={close}>
      {open && children}
    </dialog>
  );
};
