/** A form that stores something, once: sent again after a lost answer, it has the same name. */

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { Failure } from "./states";

export type Fields = Readonly<Record<string, string>>;

interface Props {
  title: string;
  /** What the button says. */
  ask: string;
  /** Sends the fields that are filled in, under a name for this request. */
  send: (fields: Fields, name: string) => Promise<unknown>;
  sent: () => void;
  children: ComponentChildren;
}

export const Sending = ({ title, ask, send, sent, children }: Props) => {
  const [error, setError] = useState<unknown>();
  const [waiting, setWaiting] = useState(false);
  const name = useRef(crypto.randomUUID());
  const renew = () => {
    name.current = crypto.randomUUID();
  };
  const submit = async (form: HTMLFormElement) => {
    setWaiting(true);
    try {
      const fields = [...new FormData(form)].map(([field, value]) => [field, String(value)] as const);
      await send(Object.fromEntries(fields.filter(([, value]) => value.trim())), name.current);
      setError(undefined);
      renew();
      form.reset();
      sent();
    } catch (problem) {
      setError(problem);
    }
    setWaiting(false);
  };
  return (
    <details>
      <summary>{title}</summary>
      <form
        class="asking"
        onInput={renew}
        onSubmit={(event) => {
          event.preventDefault();
          if (!waiting) void submit(event.currentTarget);
        }}
      >
        {children}
        <button type="submit" class="primary" disabled={waiting}>
          {ask}
        </button>
        {error ? <Failure error={error} /> : null}
      </form>
    </details>
  );
};
