/** Time series, drawn by uPlot; loaded only when one is shown. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { components } from "./api/schema";
import { spanned } from "./span";

type Rollup = components["schemas"]["RollupOut"];
const HEIGHT = 280;
/** What stands at the time axis, from days to hours: year and day as ISO 8601 has them. */
const TIMES: uPlot.Axis.Values = [
  [86_400, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
  [3600, "{HH}:00", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
  [60, "{HH}:{mm}", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
];

/** A chart that shows other rollups of the same metric, or is removed. */
export interface Drawn {
  show: (rollups: readonly Rollup[]) => void;
  remove: () => void;
}

/** Draw the mean of a metric between its extremes, as wide as the element; each rollup is `length` seconds long. */
export const draw = (element: HTMLElement, metric: string, rollups: readonly Rollup[], length: number): Drawn => {
  let shown = rollups;
  let chart = drawn(element, metric, shown, length);
  const sized = new ResizeObserver(() => {
    if (element.clientWidth !== chart.width) chart.setSize({ width: element.clientWidth, height: HEIGHT });
  });
  sized.observe(element);
  // Its colours are those of the moment at which it is drawn.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => {
    chart.destroy();
    chart = drawn(element, metric, shown, length);
  };
  dark.addEventListener("change", redraw);
  return {
    show: (newer) => {
      shown = newer;
      chart.setData(columns(newer));
    },
    remove: () => {
      dark.removeEventListener("change", redraw);
      sized.disconnect();
      chart.destroy();
    },
  };
};

const columns = (rollups: readonly Rollup[]): uPlot.AlignedData => [
  rollups.map((each) => Date.parse(each.start) / 1000),
  rollups.map((each) => each.max),
  rollups.map((each) => each.min),
  rollups.map((each) => each.mean),
];

const drawn = (element: HTMLElement, metric: string, rollups: readonly Rollup[], length: number): uPlot => {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--text2"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const edge = { stroke: "transparent", points: { show: false } };
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    cursor: { drag: { x: true, y: false } },
    scales: { x: { range: (chart, from, to) => spanned(chart.data[0], length, [from, to]) } },
    axes: [
      { ...axis, values: TIMES },
      { ...axis, size: 56 },
    ],
    bands: [{ series: [1, 2], fill: colour("--accent-soft") }],
    series: [
      { label: "UTC", value: "{YYYY}-{MM}-{DD} {HH}:{mm}" },
      { label: "greatest", ...edge },
      { label: "least", ...edge },
      // Series are drawn in this order: the mean above the band, which would cover it.
      { label: metric, stroke: colour("--accent"), width: 2, points: { show: rollups.length < 60 } },
    ],
  };
  return new uPlot(options, columns(rollups), element);
};
