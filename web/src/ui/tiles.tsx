/** Links beside each other. */

import "./tiles.css";

export const Tiles = ({ of }: { of: readonly (readonly [string, string])[] }) => (
  <ul class="tiles">
    {of.map(([text, to]) => (
      <li key={to}>
        <a href={to}>{text}</a>
      </li>
    ))}
  </ul>
);
