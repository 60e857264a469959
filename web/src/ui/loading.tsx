/** What was read, or that it is awaited, or why it failed: then what was read before stays, and says how old it is. */

import type { JSX } from "preact";
import { Instant } from "./figures";
import type { Loaded } from "./loaded";
import { Failure, Waiting } from "./states";

interface Props<T> {
  of: Loaded<T>;
  children: (value: T) => JSX.Element;
}

export const Loading = <T,>({ of, children }: Props<T>) => {
  const { value, error } = of;
  if (value === undefined) return error ? <Failed of={of} /> : <Waiting />;
  return (
    <>
      <Failed of={of} />
      {children(value)}
    </>
  );
};

/** Why the last read failed, if it did, and how old what stands below is: nothing, if nothing was read before. */
export const Failed = ({ of: { error, at, reload } }: { of: Pick<Loaded<unknown>, "error" | "at" | "reload"> }) =>
  error ? (
    <>
      <Failure error={error} again={reload} />
      {at > 0 && (
        <p class="about">
          As it was read at <Instant at={new Date(at).toISOString()} />:
        </p>
      )}
    </>
  ) : null;
