/** What a page shows instead of data, or beside old data: that it waits, that there is nothing, or what went wrong. */

import type { ComponentChildren } from "preact";
import { ApiError, isMissing } from "../api/problem";
import { stage } from "../console";
import { sectionOf } from "../navigation";
import { address } from "../router";
import { person } from "../session/session";
import { Copied } from "./copied";
import { Icon } from "./icon";
import { Retry } from "./retry";
import "./states.css";

/** A skeleton; it appears only after a moment (states.css), so that quick answers do not flicker. */
export const Waiting = () => (
  <div class="waiting" role="status">
    <span class="hidden">Loading …</span>
    <i />
    <i />
    <i />
    <i />
  </div>
);

/** What is done first where nothing is yet: in words, and the request that does it. */
export interface First {
  what: string;
  request: string;
}

export const Empty = ({ first, children }: { first?: First | undefined; children: ComponentChildren }) => (
  <div class="empty">
    <Icon name={sectionOf(address.value.pathname).icon} />
    <p>{children}</p>
    {first && (
      <>
        <p>{first.what}:</p>
        <Copied text={first.request} />
      </>
    )}
  </div>
);

/** A refused request as the API explains it, with every invalid field. What is missing stays so: nobody need try again. */
export const Failure = ({ error, again }: { error: unknown; again?: () => void }) => {
  const problem = error instanceof ApiError ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  if (problem?.group) return <Forbidden group={problem.group} detail={problem.detail} />;
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
      {again && !isMissing(error) && <Retry error={error} again={again} />}
    </div>
  );
};

/** Who may do it, and who makes somebody one of these. */
const Forbidden = ({ group, detail }: { group: string; detail: string }) => (
  <div class="empty forbidden" role="alert">
    <Icon name="lock" />
    <h2>
      This needs the group <code>{group}</code>
    </h2>
    <p>
      Forbidden: {detail}. You are <strong>{person.value?.name}</strong>. Whoever operates this stage can add you:
    </p>
    <Copied text={`make user ON=${stage} NAME=${person.value?.name ?? "NAME"} GROUPS=${group}`} />
  </div>
);

/** Where to look for what the address does not lead to. */
export const Elsewhere = () => {
  const { to, name } = sectionOf(address.value.pathname);
  return (
    <p>
      Perhaps its name is spelled otherwise, or it is gone. Look for it under <a href={to}>{name}</a>.
    </p>
  );
};

/** What must be known of the numbers beside it, and is no failure. */
export const Banner = ({ children }: { children: ComponentChildren }) => (
  <p class="banner">
    <Icon name="late" />
    <span>{children}</span>
  </p>
);
