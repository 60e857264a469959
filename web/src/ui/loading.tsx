/** What was read, or that it is awaited, or why it failed. */

import type { JSX } from "preact";
import type { Loaded } from "./loaded";
import { Failure, Waiting } from "./states";

interface Props<T> {
  of: Loaded<T>;
  children: (value: T) => JSX.Element;
}

export const Loading = <T,>({ of, children }: Props<T>) => {
  if (of.error) return <Failure error={of.error} again={of.reload} />;
  return of.value === undefined ? <Waiting /> : children(of.value);
};
