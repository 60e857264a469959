/** What a page shows instead of data: that it waits, that there is nothing, or what went wrong. */

import type { ComponentChildren } from "preact";
import { ApiError } from "../api/problem";

/** Appears only after a moment (style.css), so that quick answers do not flicker. */
export const Waiting = () => (
  <p class="waiting" role="status">
    Loading …
  </p>
);

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>;

/** A refused request as the API explains it, with every invalid field. */
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
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
};
