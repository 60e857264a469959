/** What is counted: each number, whether it equals a recount, and what a plain ADD makes of the same records. */

import { numberAt } from "../../links";
import { figure } from "../../ui/figures";
import { Icon, type IconName } from "../../ui/icon";
import { shownOf } from "../home/arrivals";
import type { Look, Named, NumberOut } from "./answers";
import { nameOf, type Verdict } from "./run";
import "./numbers.css";

export const LOOK: Readonly<Record<Verdict, { look: string; icon: IconName }>> = {
  begins: { look: "", icon: "late" },
  equal: { look: "good", icon: "tick" },
  lacks: { look: "warn", icon: "quarantine" },
  wrong: { look: "bad", icon: "alerts" },
};

/** By how much a number is wrong, in words. */
export const tooMany = (difference: number): string =>
  `${figure(Math.abs(difference))} too ${difference > 0 ? "many" : "few"}`;

const saidOf = ({ verdict, lacks, difference }: NumberOut): string =>
  ({ begins: "begins", equal: "= recount", lacks: `lacks ${figure(lacks)}`, wrong: tooMany(difference ?? 0) })[verdict];

/** What is seen: a look at the numbers that are watched. */
export interface Seen {
  look: Look;
  watched: readonly Named[];
  /** Whether a plain ADD runs beside them. */
  plain: boolean;
  /** Whether the numbers are those of the table, which have pages of their own. */
  stored: boolean;
}

/** The numbers that are watched, with what the look says of them, if it does already. */
export const numbersOf = ({ look, watched }: Seen): (readonly [Named, NumberOut | undefined])[] => {
  const told = new Map(look.numbers.map((each) => [nameOf(each), each]));
  return watched.map((each) => [each, told.get(nameOf(each))]);
};

export const Numbers = ({ of: seen }: { of: Seen }) => (
  <ul class="numbers">
    {numbersOf(seen).map(([named, number]) => (
      <Row key={nameOf(named)} of={named} number={number} seen={seen} />
    ))}
  </ul>
);

const Row = ({ of, number, seen }: { of: Named; number: NumberOut | undefined; seen: Seen }) => {
  const { name, counts } = shownOf(of);
  return (
    <li class={number ? LOOK[number.verdict].look : ""}>
      {seen.stored ? (
        <a href={numberAt(of.kind, of.dimensions)} title={name}>
          {name}
        </a>
      ) : (
        <span class="name" title={name}>
          {name}
        </span>
      )}
      <small>{counts}</small>
      <strong class="stored">{figure(number?.stored)}</strong>
      <Said of={number} why={seen.look.why} />
      {seen.plain && <Plain of={number} />}
    </li>
  );
};

export const Said = ({ of, why }: { of: NumberOut | undefined; why: string }) => {
  if (!of) return <span class="chip" />;
  const { look, icon } = LOOK[of.verdict];
  return (
    <span class={`chip ${look}`} title={of.verdict === "begins" ? why : undefined}>
      <Icon name={icon} />
      {saidOf(of)}
    </span>
  );
};

/** The number as a plain ADD would have it; null if none runs beside it. */
const plainOf = (of: NumberOut | undefined): number | null => (of?.plain ? of.stored + of.plain.drift : null);

const saidOfPlain = (of: NumberOut | undefined): string =>
  of?.plain ? (of.plain.drift ? tooMany(of.plain.drift) : "the same so far") : "begins";

const Plain = ({ of }: { of: NumberOut | undefined }) => (
  <p class={of?.plain?.drift ? "plain-add bad" : "plain-add"}>
    <span>plain ADD</span>
    <strong title={of?.plain ? `It has added ${figure(of.plain.added)} since the watch began.` : undefined}>
      {figure(plainOf(of))}
    </strong>
    <span class="chip">{saidOfPlain(of)}</span>
  </p>
);

/** On a phone, above all else: the number whose plain ADD is furthest off, and that. */
export const Beside = ({ of: seen }: { of: Seen }) => {
  const off = ([, number]: readonly [Named, NumberOut | undefined]) => Math.abs(number?.plain?.drift ?? 0);
  const found = numbersOf(seen).reduce<readonly [Named, NumberOut | undefined] | undefined>(
    (one, other) => (one && off(one) >= off(other) ? one : other),
    undefined,
  );
  if (!found) return null;
  const [named, number] = found;
  return (
    <section class="card versus" aria-label="Edgewise beside a plain ADD">
      <div>
        <p>{shownOf(named).name}, Edgewise</p>
        <strong>{figure(number?.stored)}</strong>
        <Said of={number} why={seen.look.why} />
      </div>
      {seen.plain && (
        <div class={number?.plain?.drift ? "bad" : ""}>
          <p>plain ADD</p>
          <strong>{figure(plainOf(number))}</strong>
          <span class="chip">{saidOfPlain(number)}</span>
        </div>
      )}
    </section>
  );
};
