/** All pages by their groups, and who is signed in: beside the page, or on a phone over it. */

import { counts } from "../api/counts";
import { session, stage } from "../console";
import { type Entry, GROUPS, HOME, sectionOf } from "../navigation";
import type { Person } from "../session/session";
import { Icon } from "../ui/icon";
import { useCounts } from "./counting";
import { FindButton } from "./find";

interface Props {
  path: string;
  /** Those that may be used. */
  entries: readonly Entry[];
  who: Person;
}

export const Sidebar = (props: Props) => {
  useCounts(props.who.administrator);
  return (
    <nav class="side" aria-label="Pages">
      <a class="brand" href="/">
        <Mark />
        Edgewise <span class="stage">{stage}</span>
      </a>
      <FindButton />
      <Pages {...props} />
      <Me who={props.who} />
    </nav>
  );
};

export const Pages = ({ path, entries }: Omit<Props, "who">) => {
  const here = sectionOf(path);
  return (
    <div class="pages">
      <ul>
        <Link of={HOME} here={path === "/"} />
      </ul>
      {GROUPS.map((group) => (
        <section key={group} aria-labelledby={`pages-${group}`}>
          <h2 id={`pages-${group}`}>{group}</h2>
          <ul>
            {entries
              .filter((each) => each.group === group)
              .map((each) => (
                <Link key={each.to} of={each} here={each === here} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
};

const Link = ({ of: { to, name, icon, counted }, here }: { of: Entry; here: boolean }) => (
  <li>
    <a href={to} aria-current={here ? "page" : undefined}>
      <Icon name={icon} />
      {name}
      {counted && <Count of={to} counted={counted} />}
    </a>
  </li>
);

const Count = ({ of, counted: [what, look] }: { of: string; counted: NonNullable<Entry["counted"]> }) => {
  const count = counts.value[of];
  return count ? (
    <span class={`count ${look}`}>
      {count} <span class="hidden">{what}</span>
    </span>
  ) : null;
};

export const Me = ({ who: { name, administrator } }: Pick<Props, "who">) => (
  <div class="me">
    <span class="initial" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
    <span class="name">
      {name} {administrator && <small>admin</small>}
    </span>
    <button type="button" class="quiet" aria-label="Sign out" title="Sign out" onClick={() => session.signOut()}>
      <Icon name="leave" />
    </button>
  </div>
);

export const Mark = () => (
  <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6.5" />
    <path d="M6.5 7h11M6.5 12h6.2M6.5 17h11" />
    <circle cx="17" cy="12" r="1.7" />
  </svg>
);
