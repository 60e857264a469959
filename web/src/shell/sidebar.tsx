/** All pages by their groups, and who is signed in: beside the page, or on a phone over it. */

import { session } from "../console";
import { type Entry, GROUPS, HOME, sectionOf } from "../navigation";
import type { Person } from "../session/session";
import { Icon } from "../ui/icon";
import { FindButton } from "./find";

interface Props {
  path: string;
  /** Those that may be used. */
  entries: readonly Entry[];
  who: Person;
}

export const Sidebar = (props: Props) => (
  <nav class="side" aria-label="Pages">
    <a class="brand" href="/">
      <Mark />
      Edgewise
    </a>
    <FindButton />
    <Pages {...props} />
    <Me name={props.who.name} />
  </nav>
);

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

const Link = ({ of: { to, name, icon }, here }: { of: Entry; here: boolean }) => (
  <li>
    <a href={to} aria-current={here ? "page" : undefined}>
      <Icon name={icon} />
      {name}
    </a>
  </li>
);

export const Me = ({ name }: { name: string }) => (
  <div class="me">
    <span class="initial" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
    <span class="name">{name}</span>
    <button type="button" class="quiet" onClick={() => session.signOut()}>
      <Icon name="leave" />
      Sign out
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
