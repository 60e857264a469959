/** The proof: numbers are counted while somebody breaks what counts them, and compared with a recount each second. */

import { useMemo } from "preact/hooks";
import { address } from "../../router";
import { type PageKey, usePageKeys } from "../../shell/keys";
import { sendReading } from "../../ui/first";
import { Loading } from "../../ui/loading";
import { Empty, Failure } from "../../ui/states";
import { useTitle } from "../../ui/title";
import type { Kind, ProofOut } from "./answers";
import { Buttons } from "./buttons";
import { Chooser } from "./chooser";
import { Drift } from "./drift";
import { faultOf, isEarly, PLAIN_KEY } from "./faults";
import { Log } from "./log";
import { Beside, numbersOf } from "./numbers";
import { Picture } from "./picture";
import { Replay } from "./replay";
import { Share } from "./share";
import { Told } from "./told";
import { ask, choice, choose, refusal, run, useProof } from "./watching";
import "../../ui/card.css";
import "./proof.css";

/** A link to a run shows that; without one, the page shows what happens now. */
export const Proof = () => {
  const { searchParams } = address.value;
  const seed = searchParams.get("seed");
  return seed === null ? <Live /> : <Replay seed={seed} script={searchParams.get("script") ?? ""} />;
};

const Live = () => {
  useTitle("The proof");
  const proof = useProof();
  const { kinds = NONE, verdict = "unwatched" } = proof.value ?? {};
  usePageKeys(useKeysOf(kinds.filter((kind) => !isEarly(kind, verdict))));
  return (
    <>
      <h1>Break it while it counts</h1>
      <p class="about">
        Repeat, kill, slow and poison what feeds these numbers. Each equals a recount, or says what it lacks.
      </p>
      <Loading of={proof}>{(answer) => <Breaking of={answer} />}</Loading>
    </>
  );
};

const NONE: readonly Kind[] = [];

/** The keys stay the same as long as the kinds do, which each answer names anew. */
const useKeysOf = (kinds: readonly Kind[]): readonly PageKey[] => {
  const named = kinds.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `named` is all that is told of them
  return useMemo(
    () => [
      ...kinds.map((kind) => ({ key: faultOf(kind).key, what: faultOf(kind).name, act: () => void ask(kind) })),
      ...(kinds.length ? [{ key: PLAIN_KEY, what: "a plain ADD beside, or not", act: turnPlain }] : []),
    ],
    [named],
  );
};

const turnPlain = (): void => {
  const now = choice.peek();
  if (now) choose({ ...now, plain: !now.plain });
};

const Breaking = ({ of }: { of: ProofOut }) => {
  const { numbers, plain } = choice.value ?? { numbers: [], plain: true };
  if (!choice.value) return <Nothing />;
  const seen = { look: of, watched: numbers, plain, stored: true };
  return (
    <>
      <Beside of={seen} />
      <Told of={{ ...of, numbers: numbersOf(seen).flatMap(([, number]) => number ?? []) }} />
      <Buttons of={of} plain={plain} turn={turnPlain} />
      {refusal.value ? <Failure error={refusal.value} /> : null}
      {numbers.length > 0 && <Picture of={seen} run={run.value} />}
      <div class="beside">
        <Drift of={run.value} kinds={of.kinds} />
        <Log of={run.value}>
          <Share of={run.value} />
        </Log>
      </div>
      <Chooser watchable={of.watchable} />
    </>
  );
};

const Nothing = () => (
  <Empty first={sendReading()}>
    Nothing has been counted yet, so there is nothing to break. The number that a reading moves is watched.
  </Empty>
);
