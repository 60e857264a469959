/** The graph around a node, drawn. The list beside it does the same for the keyboard and screen readers. */

import { useEffect, useRef, useState } from "preact/hooks";
import { type Line, type Point, settled } from "./layout";
import { type Neighbourhood, nameOf } from "./neighbourhood";
import { howBad } from "./states";

const RADIUS = 9;
/** Room for circles and the names below them. */
const MARGIN = { x: 46, y: 28 };
/** A few nodes don't need all the room there is. */
const ROOM = { x: 120, y: 50 };
const LETTERS = 14;
/** With more edges than these, their labels would lie on each other. */
const LABELLED = 10;

interface Props {
  of: Neighbourhood;
  opened: ReadonlySet<string>;
  /** The states of nodes, as far as they are known, by name. */
  states: ReadonlyMap<string, string>;
  toggle: (name: string) => void;
}

export const Picture = ({ of, opened, states, toggle }: Props) => {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const names = of.nodes.map(nameOf);
  const across = Math.min(width - 2 * MARGIN.x, names.length * ROOM.x);
  const down = Math.min(400, names.length * ROOM.y);
  const height = down + 2 * MARGIN.y;
  const lines = of.edges.map((each): Line => [names.indexOf(nameOf(each.source)), names.indexOf(nameOf(each.target))]);
  const points = settled(names.length, lines).map(({ x, y }) => ({
    x: width / 2 + (x - 0.5) * across,
    y: MARGIN.y + y * down,
  }));
  const label = `${of.nodes.length} nodes and ${of.edges.length} edges`;
  return (
    <div class="picture" ref={frame}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
            <path d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {of.edges.map((edge, position) => (
          <Arrow
            key={`${nameOf(edge.source)} ${edge.label} ${nameOf(edge.target)}`}
            from={points[lines[position]?.[0] ?? 0] as Point}
            to={points[lines[position]?.[1] ?? 0] as Point}
            label={of.edges.length <= LABELLED ? edge.label : ""}
          />
        ))}
        {of.nodes.map(({ type, id }, position) => {
          const { x, y } = points[position] as Point;
          const name = names[position] as string;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the list beside the picture has the buttons
            <g
              key={name}
              class={`${position === 0 ? "start" : opened.has(name) ? "opened" : ""} ${howBad(states.get(name))}`}
              onClick={() => toggle(name)}
            >
              <title>{[type, id, states.get(name)].filter(Boolean).join(" ")}</title>
              <circle cx={x} cy={y} r={RADIUS} />
              <text x={x} y={y + RADIUS + 13}>
                {id.length > LETTERS ? `${id.slice(0, LETTERS - 1)}…` : id}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
};

/** From rim to rim; an edge of a node to itself is not drawn, but stands in the list of edges. */
const Arrow = ({ from, to, label }: { from: Point; to: Point; label: string }) => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const far = Math.hypot(dx, dy);
  if (far < 2 * RADIUS) return null;
  const [x, y] = [(dx / far) * (RADIUS + 1), (dy / far) * (RADIUS + 1)];
  return (
    <g class="edge">
      <line x1={from.x + x} y1={from.y + y} x2={to.x - x} y2={to.y - y} marker-end="url(#arrow)" />
      {label && (
        <text x={from.x + 0.5 * dx} y={from.y + 0.5 * dy - 3}>
          {label}
        </text>
      )}
    </g>
  );
};

/** How wide an element is, so that letters keep their size. */
const useWidth = (element: { current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const observer = new ResizeObserver(
      ([entry]) => entry && setWidth(Math.max(Math.round(entry.contentRect.width), 240)),
    );
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
};
