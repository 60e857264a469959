/** Which numbers are watched: those that moved last are offered. */

import { figure } from "../../ui/figures";
import { shownOf } from "../home/arrivals";
import type { Named } from "./answers";
import { MOST } from "./choice";
import { nameOf } from "./run";
import { choice, choose, readRecent, recent } from "./watching";

const OFFERED = 24;

export const Chooser = ({ watchable }: { watchable: readonly string[] }) => {
  const chosen = choice.value?.numbers ?? [];
  const names = new Set(chosen.map(nameOf));
  const others = recent.value
    .filter((each) => watchable.includes(each.kind) && !names.has(nameOf(each)))
    .slice(0, OFFERED);
  const turn = (named: Named, on: boolean) => {
    const { kind, dimensions, cell } = named;
    const rest = chosen.filter((each) => nameOf(each) !== nameOf(named));
    choose({ plain: choice.value?.plain ?? true, numbers: on ? [...rest, { kind, dimensions, cell }] : rest });
  };
  return (
    <details
      class="card chooser"
      onToggle={(event) => event.currentTarget.open && void readRecent().catch(() => undefined)}
    >
      <summary>
        {chosen.length === 1 ? "1 number is" : `${figure(chosen.length)} numbers are`} watched: choose others
      </summary>
      <ul>
        {[...chosen, ...others].map((each) => {
          const on = names.has(nameOf(each));
          const { name, counts } = shownOf(each);
          return (
            <li key={nameOf(each)}>
              <label>
                <input
                  type="checkbox"
                  checked={on}
                  disabled={!on && chosen.length >= MOST}
                  onChange={(event) => turn(each, event.currentTarget.checked)}
                />
                <span>{name}</span> <small>{counts || each.kind}</small>
              </label>
            </li>
          );
        })}
      </ul>
    </details>
  );
};
