/** What a page shows instead of data: that it waits, that there is nothing, or what went wrong. */

import type { ComponentChildren } from "preact";
import { ApiError, isMissing } from "../api/problem";
import { sectionOf } from "../navigation";
import { address } from "../router";

/** Appears only after a moment (style.css), so that quick answers do not flicker. */
export const Waiting = () => (
  <p class="waiting" role="status">
    Loading …
  </p>
);

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>;

/** A refused request as the API explains it, with every invalid field. What is missing stays so: nobody need try again. */
export const Failure = ({ error, again }: { error: unknown; again?: () => void }) => {
  const problem = error instanceof ApiError ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{problem?.title ?? "That did not work"}</strong> {problem ? problem.detail : message}
      </p>
      {problem && problem.fields.length > 0 && (
        <ul>
          {problem.fields.map(({ field, error }) => (
            <li key={field}>
              <code>{field}</code> {error}
            </li>
          ))}
        </ul>
      )}
      {isMissing(error) && <Elsewhere />}
      {again && !isMissing(error) && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
};

/** Where to look for what the address does not lead to. */
export const Elsewhere = () => {
  const { to, name } = sectionOf(address.value.pathname);
  return (
    <p>
      Perhaps its name is spelled otherwise, or it is gone. Look for it under <a href={to}>{name}</a>.
    </p>
  );
};
