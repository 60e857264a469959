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
  const { value, error, at } = of;
  if (!error) return value === undefined ? <Waiting /> : children(value);
  return (
    <>
      <Failure error={error} again={of.reload} />
      {value !== undefined && (
        <>
          <p class="about">
            As it was read at <Instant at={new Date(at).toISOString()} />:
          </p>
          {children(value)}
        </>
      )}
    </>
  );
};
