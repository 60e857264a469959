/** Above each page: where it is, and how fresh its numbers are. */

import { unspelled } from "../api/spelling";
import { sectionOf } from "../navigation";
import { Icon } from "../ui/icon";
import { Freshness } from "./freshness";
import { Mark } from "./sidebar";

export const Top = ({ path }: { path: string }) => {
  const trail = trailOf(path);
  const [here] = trail.slice(-1);
  return (
    <header class="top">
      <a class="brand" href="/" aria-label="Edgewise: home">
        <Mark />
      </a>
      <nav aria-label="Where this page is">
        <ol>
          {trail.slice(0, -1).map(({ name, to }) => (
            <li key={name}>
              {to ? <a href={to}>{name}</a> : name}
              <Icon name="next" />
            </li>
          ))}
          <li aria-current="page">{here?.name}</li>
        </ol>
      </nav>
      <Freshness />
    </header>
  );
};

interface Step {
  name: string;
  to?: string;
}

/** The group of a page, the page, and what of it is shown: the last part of its address. */
export const trailOf = (path: string): readonly Step[] => {
  const { name, to, group } = sectionOf(path);
  const steps: Step[] = [...(group ? [{ name: group }] : []), { name, to }];
  const [last] = path.split("/").filter(Boolean).slice(-1);
  return path === to || path === "/" || !last ? steps : [...steps, { name: unspelled(last) }];
};
