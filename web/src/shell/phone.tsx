/** On a phone: five places at the bottom, of which the last shows all pages. */

import { useEffect, useState } from "preact/hooks";
import { type Entry, HOME, sectionOf } from "../navigation";
import type { Person } from "../session/session";
import { Icon, type IconName } from "../ui/icon";
import { Modal } from "../ui/modal";
import { finding } from "./find";
import { Me, Pages } from "./sidebar";

interface Props {
  path: string;
  entries: readonly Entry[];
  who: Person;
}

export const PhoneBar = ({ path, entries, who }: Props) => {
  const [more, setMore] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the sheet
  useEffect(() => setMore(false), [path]);
  const group = path === "/" ? undefined : sectionOf(path).group;
  return (
    <>
      <nav class="phone-bar" aria-label="Main pages">
        <Place to="/" name="Home" icon={HOME.icon} here={path === "/"} />
        <Place to="/devices" name="Live" icon="devices" here={group === "Live"} />
        <Action name="Search" icon="search" act={() => (finding.value = true)} />
        <Place to="/exactness" name="Trust" icon="checks" here={group === "Trust"} />
        <Action name="More" icon="more" act={() => setMore(true)} />
      </nav>
      <Modal name="All pages" kind="sheet" open={more} close={() => setMore(false)}>
        <nav aria-label="Pages">
          <Pages path={path} entries={entries} />
          <Me who={who} />
        </nav>
        <button type="button" onClick={() => setMore(false)}>
          Close
        </button>
      </Modal>
    </>
  );
};

const Place = ({ to, name, icon, here }: Pick<Entry, "to" | "name" | "icon"> & { here: boolean }) => (
  <a href={to} aria-current={here ? "true" : undefined}>
    <Icon name={icon} />
    {name}
  </a>
);

const Action = ({ name, icon, act }: { name: string; icon: IconName; act: () => void }) => (
  <button type="button" onClick={act}>
    <Icon name={icon} />
    {name}
  </button>
);
