/** A run that somebody has shared: simulated in memory, the same for everybody, to be played or looked at by seconds. */

import { useMemo, useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { usePageKeys } from "../../shell/keys";
import { useEvery } from "../../ui/every";
import { figure } from "../../ui/figures";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { useTitle } from "../../ui/title";
import type { RunOut } from "./answers";
import { Drift } from "./drift";
import { Log } from "./log";
import { Beside } from "./numbers";
import { Picture } from "./picture";
import { endOf, runsOf } from "./played";
import { clock } from "./run";
import { Line, toldOf } from "./told";

/** Ten seconds of a run in one. */
const FRAME_MS = 100;

export const Replay = ({ seed, script }: { seed: string; script: string }) => {
  useTitle(`Run ${seed}, simulated`);
  const query = { seed: Number(seed), script };
  const loaded = useLoaded(`${seed} ${script}`, () => bodyOf(api.GET("/proof/run", { params: { query } })));
  return (
    <>
      <h1>Run {seed}, simulated</h1>
      <p class="about">
        Not the live table: the same consumer over a table in memory, given what follows from the seed, and broken as
        the link says. Everybody sees the same. <a href="/proof">Back to the live table</a>
      </p>
      <Loading of={loaded}>{(run) => <Played of={run} />}</Loading>
    </>
  );
};

/** All of it is shown first, and played when somebody asks. */
const Played = ({ of }: { of: RunOut }) => {
  const runs = useMemo(() => runsOf(of), [of]);
  const { place, playing, go, play } = usePlace(runs.length - 1);
  const [run, frame] = [runs[place], of.frames[place]];
  if (!run || !frame) return null;
  const look = { ...frame, watch: of.watch, done: [...run.done] };
  const seen = { look, watched: look.numbers, plain: true, stored: false };
  const at = clock(run.at - run.begun);
  return (
    <>
      <Beside of={seen} />
      <Line of={toldOf(look)} />
      <section class="card player" aria-label="The run">
        <button type="button" aria-keyshortcuts="P" onClick={play}>
          {playing ? "Pause" : "Play"}
        </button>
        <button type="button" aria-keyshortcuts="," onClick={() => go(-1)}>
          1 s back
        </button>
        <input
          type="range"
          aria-label="Time of the run"
          aria-valuetext={at}
          max={runs.length - 1}
          value={place}
          onInput={(event) => go(event.currentTarget.valueAsNumber - place)}
        />
        <button type="button" aria-keyshortcuts="." onClick={() => go(1)}>
          1 s on
        </button>
        <span class="at">{at}</span>
        <p class="about">
          {figure(frame.written)} of {figure(of.frames.at(-1)?.written)} things written. When all were delivered,{" "}
          {endOf(of)}.
        </p>
      </section>
      <Picture of={seen} run={run} />
      <div class="beside">
        <Drift of={run} kinds={of.kinds} />
        <Log of={run} />
      </div>
    </>
  );
};

/** Which frame is shown, and whether the next ones follow by themselves; at the end, it is played from the beginning. */
const usePlace = (last: number) => {
  const [{ place, playing }, setState] = useState({ place: last, playing: false });
  const [go, play] = useMemo(() => {
    const go = (by: number) =>
      setState(({ place }) => ({ place: Math.min(Math.max(place + by, 0), last), playing: false }));
    const play = () =>
      setState(({ place, playing }) => ({ place: !playing && place >= last ? 0 : place, playing: !playing }));
    return [go, play];
  }, [last]);
  const keys = useMemo(
    () => [
      { key: "p", what: "play the run, or pause", act: play },
      { key: ",", what: "a second back", act: () => go(-1) },
      { key: ".", what: "a second on", act: () => go(1) },
    ],
    [go, play],
  );
  usePageKeys(keys);
  useEvery(FRAME_MS, () => playing && setState({ place: Math.min(place + 1, last), playing: place + 1 < last }));
  return { place, playing, go, play };
};
