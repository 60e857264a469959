/** The first page: is it exact, what flows, what needs somebody, what arrived last. */

import type { Person } from "../../session/session";
import { useTitle } from "../../ui/title";
import { useOverview } from "../operations/overview";
import { Arriving } from "./arriving";
import { Band } from "./band";
import { Kpis } from "./kpis";
import { Needs } from "./needs";
import { Throughput } from "./throughput";
import "../../ui/card.css";
import "./home.css";

export const Home = ({ who }: { who: Person }) => {
  useTitle("Home");
  const overview = useOverview();
  return (
    <>
      <h1 class="hidden">Home</h1>
      <Band kept={overview.value?.check?.aggregates ?? null} />
      <Kpis of={overview} />
      <div class="beside">
        <Throughput of={overview.value} />
        <Needs overview={overview} who={who} />
      </div>
      <Arriving />
    </>
  );
};
