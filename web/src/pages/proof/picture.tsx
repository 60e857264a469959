/** How it happens: what each shard delivers, what the consumer goes through, and the numbers that it counts. */

import { ago } from "../../ui/ago";
import { figure } from "../../ui/figures";
import { Glyph, Icon } from "../../ui/icon";
import type { Look } from "./answers";
import { faultOf } from "./faults";
import { Numbers, type Seen } from "./numbers";
import { BEATS, type Beat, type Run } from "./run";
import "./picture.css";

/** For so long the consumer looks as what was done to it last. */
const FELT_MS = 8000;

export const Picture = ({ of, run }: { of: Seen; run: Run | null }) => {
  const felt = feltIn(of.look);
  const shards = [...(run?.beats ?? [])];
  return (
    <section class={`card picture ${felt ?? ""}`} aria-label="How it is counted">
      <h2>
        The table's stream <Legend />
      </h2>
      <h2>Consumer</h2>
      <h2>What is counted</h2>
      <Shards of={shards} />
      <Joins count={Math.max(shards.length, 1)} />
      <Consumer of={of.look} />
      <Joins count={Math.max(of.watched.length, 1)} back />
      <Numbers of={of} />
    </section>
  );
};

/** What the consumer still feels, by the lane of it; null: nothing. */
const feltIn = ({ at, done: [last], slow_until }: Look): string | null => {
  if (slow_until && Date.parse(slow_until) > Date.parse(at)) return "slowed";
  return last && Date.parse(at) - Date.parse(last.at) < FELT_MS ? faultOf(last.kind).lane : null;
};

const Shards = ({ of }: { of: readonly (readonly [string, readonly Beat[]])[] }) => (
  <div class="shards">
    {of.length === 0 && <p class="none">Nothing is delivered at present.</p>}
    {of.map(([shard, beats]) => (
      <Shard key={shard} name={shard} of={beats} />
    ))}
  </div>
);

const Legend = () => (
  <small class="legend" title="A square for each answer, one a second">
    <i class="first" /> first <i class="again" /> came again
  </small>
);

/** Names of shards are long, and differ at their ends. */
const END = 6;
const shortly = (shard: string): string => (shard.length > END ? `…${shard.slice(-END)}` : shard);

const Shard = ({ name, of }: { name: string; of: readonly Beat[] }) => {
  const { delivered = 0, again = 0 } = of.findLast((each) => each.delivered + each.again > 0) ?? {};
  return (
    <div class="shard">
      <p title={name}>
        shard {shortly(name)} <span>{figure(delivered)} first</span>
        {again > 0 && <span class="warn">, {figure(again)} came again</span>}
      </p>
      <svg viewBox={`0 0 ${BEATS * 10} 17`} aria-hidden="true">
        {Array.from({ length: BEATS }, (_, place) => of[place - BEATS + of.length]).map((beat, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: squares stay where they are
          <Square key={place} x={place * 10} of={beat} />
        ))}
      </svg>
    </div>
  );
};

const Square = ({ x, of }: { x: number; of: Beat | undefined }) => (
  <>
    <rect class={of?.delivered ? "first" : ""} x={x + 1} y="1" width="8" height="8" rx="2" />
    {of && of.again > 0 ? <circle class="again" cx={x + 5} cy="13.5" r="2.5" /> : null}
  </>
);

const NOTHING = "\u00a0";

const Consumer = ({ of }: { of: Look }) => {
  const felt = feltIn(of);
  const [last] = of.done;
  const [next] = of.asked;
  const slowed = felt === "slowed";
  return (
    <div class="consumer">
      <div>
        <p class="state">
          {felt && last ? <Glyph path={faultOf(slowed ? "slow" : last.kind).icon} /> : <Icon name="flow" />}
          <strong>{slowed ? faultOf("slow").did : felt && last ? faultOf(last.kind).did : "Counts"}</strong>
        </p>
        <p>{last ? last.what : "Nothing was done to it yet."}</p>
        {last && <p class="about">{ago(Date.parse(of.at) - Date.parse(last.at))} ago</p>}
      </div>
      {/* A line that is there always, so that nothing moves. */}
      <p class="about">{next ? `${figure(of.asked.length)} asked, next: ${faultOf(next.kind).name}` : NOTHING}</p>
    </div>
  );
};

/** Lines from each of some rows to one place in the middle; `back`: from there to the rows. */
const Joins = ({ count, back = false }: { count: number; back?: boolean }) => (
  <svg class="joins" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    {Array.from({ length: count }, (_, row) => (100 * (row + 0.5)) / count).map((y) => (
      <path key={y} d={back ? `M0 50C50 50 50 ${y} 100 ${y}` : `M0 ${y}C50 ${y} 50 50 100 50`} />
    ))}
  </svg>
);
