/** What holds now, in one line: the worst of all numbers; and a second chance for records that were set aside. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { useEvery } from "../../ui/every";
import { figure } from "../../ui/figures";
import { Icon, type IconName } from "../../ui/icon";
import { Failure } from "../../ui/states";
import type { Look } from "./answers";
import { worstOf } from "./run";
import { clicked, run } from "./watching";

const AGAIN_MS = 5000;
const FEW = 20;

export const Told = ({ of }: { of: Look }) => {
  const { records, error, redrive } = useQuarantine(of.quarantined > 0);
  return (
    <>
      <Line of={toldOf(of)}>
        {records > 0 && (
          <button type="button" onClick={redrive}>
            Redrive {records > 1 && figure(records)}
          </button>
        )}
      </Line>
      {error ? <Failure error={error} /> : null}
    </>
  );
};

export const Line = ({ of, children }: { of: Holds; children?: ComponentChildren }) => (
  <div class={`told ${of.look}`}>
    <Icon name={of.icon} />
    <p>
      {/* Only the word is told when it changes: the rest does so all the time. */}
      <strong role="status">{of.word}</strong> <span>{of.about}</span>
    </p>
    {children}
  </div>
);

/** What holds, in words. */
export interface Holds {
  look: "good" | "warn" | "bad" | "";
  icon: IconName;
  word: string;
  about: string;
}

/** Nothing is called equal that was not compared. */
export const toldOf = (of: Look): Holds => {
  /** How many numbers have a verdict, and what is said of one of them, or of several. */
  const those = (verdict: string, one: string, several: string) => {
    const count = of.numbers.filter((each) => each.verdict === verdict).length;
    return `${figure(count)} of ${figure(of.numbers.length)} ${count === 1 ? one : several}`;
  };
  switch (worstOf(of)) {
    case "wrong":
      return {
        look: "bad",
        icon: "alerts",
        word: "Wrong:",
        about: `${those("wrong", "numbers differs", "numbers differ")} from a recount.`,
      };
    case "lacks":
      return {
        look: "warn",
        icon: "quarantine",
        word: "Lacks a record:",
        about: `${those("lacks", "numbers says so itself", "numbers say so themselves")}.`,
      };
    case "equal": {
      const about = `${those("equal", "numbers equals", "numbers equal")} a recount up to the checkpoints.`;
      if (of.verdict === "begins") return { look: "", icon: "late", word: "Begins:", about };
      return { look: "good", icon: "exact", word: "Equal:", about };
    }
    default:
      return of.verdict === "unwatched" || of.numbers.length === 0
        ? { look: "", icon: "late", word: "Not watched:", about: "nothing is compared." }
        : { look: "", icon: "late", word: "Begins:", about: of.why || "nothing is compared yet." };
  }
};

const redriven = async (path: { shard: string; sequence: string }): Promise<void> => {
  await bodyOf(api.POST("/quarantine/{shard}/{sequence}/redrive", { params: { path } }));
  clicked({ at: run.peek()?.at ?? 0, act: "redrive", of: `${path.shard} ${path.sequence}` });
};

/** How many records are in quarantine, looked for while there may be some; `redrive` redrives all of them. */
const useQuarantine = (wanted: boolean) => {
  const [records, setRecords] = useState(0);
  const [error, setError] = useState<unknown>();
  const read = () => bodyOf(api.GET("/quarantine", { params: { query: { limit: FEW } } }));
  // Without it the page offers less, and says nothing wrong.
  const look = () =>
    void read().then(
      ({ count }) => setRecords(count),
      () => undefined,
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: when there may be one
  useEffect(() => {
    if (wanted) look();
  }, [wanted]);
  useEvery(AGAIN_MS, () => wanted && look());
  const redrive = async () => {
    setError(undefined);
    const found = await read().catch(setError);
    for (const each of found?.records ?? []) await redriven(each).catch(setError);
    look();
  };
  return { records: wanted ? records : 0, error, redrive: () => void redrive() };
};
